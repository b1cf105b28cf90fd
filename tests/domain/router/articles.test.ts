import { describe, expect, test } from '@jest/globals';
import { builtInMedications, orderedMedication } from '../../../domain/orchestrator/medications.js';
import {
  type Article,
  builtInArticles,
  catalogMedication,
  chooseArticle,
  withStored,
} from '../../../domain/router/articles.js';
import { systems } from '../../../integrations/pharmacies/registry.js';
import type { ServiceConfig } from '../../../platform/config.js';

const builtIn = builtInArticles({ semaglutide: '12565', tirzepatide: '12850', nad: '12832' });
const stored = (match: string, article: string, rest: Partial<Article> = {}): Article => ({
  match,
  article,
  strength: null,
  medication: null,
  source: 'stored',
  ...rest,
});
/** The article for a name or a key, or why there is none. */
const chosen = (name: string, { articles = builtIn, key }: { articles?: Article[]; key?: string } = {}) => {
  const choice = chooseArticle('pharmacy_a', articles, { name, key });
  if (choice === undefined) return undefined;
  return 'article' in choice ? choice.article : choice.rejection;
};

const otherStrength = 'No article of pharmacy_a for this strength';
const insideWord = 'No article of pharmacy_a for this medication';

describe('The article for a name (D124)', () => {
  test.each([
    ['semaglutide', '12565'],
    ['Semaglutide 5mg/mL', '12565'],
    ['compounded TIRZEPATIDE', '12850'],
    ['Tirzepatide 16.75mg-5mg/mL', '12850'],
    ['Tirzepatide 16.75 mg/mL', '12850'],
    ['NAD+ 200mg/mL', '12832'],
    ['Semaglutide 5.0 mg / ml', '12565'],
    ['Semaglutide 10mg/2mL', '12565'],
    ['Semaglutide with B12 5mg/mL', '12565'],
    ['(nad)', '12832'],
    ['ｓｅｍａｇｌｕｔｉｄｅ', '12565'],
  ])('"%s" gets %s', (name, article) => expect(chosen(name)).toBe(article));

  test.each(['ibuprofen', 'constructor', '', '.*'])('"%s" asks for no article', (name) =>
    expect(chosen(name)).toBeUndefined(),
  );

  test.each([
    'Menadione (vitamin K) injection',
    'Nadolol 40mg',
    'nadroparin',
    'NADPH',
    'cagrisemaglutide',
    'e\u0301nad',
    'xnad nadx',
  ])('A match inside a word, as in "%s", is rejected', (name) => expect(chosen(name)).toBe(insideWord));

  test.each([
    ['Tirzepatide 16.75mg/mL (switched from semaglutide)', 'semaglutide, tirzepatide'],
    ['semaglutide with NAD', 'semaglutide, nad'],
    ['nad or tirzepatide', 'tirzepatide, nad'],
  ])('"%s" asks for two articles and is rejected', (name, matches) =>
    expect(chosen(name)).toBe(`Ambiguous medication for pharmacy_a: ${matches}`),
  );

  test.each([
    'Semaglutide 10mg/mL',
    'semaglutide 2.5 MG / ML',
    'Semaglutide 5mg/mL, then 10mg/mL',
    'semaglutide 20mg/2mL',
    'semaglutide 10 mg per mL',
    'Semaglutide 1.000,5mg/mL',
    'Semaglutide １０mg/mL',
    'Tirzepatide 30mg/mL',
    'NAD+ 100mg/mL',
    'Semaglutide .5mg/mL',
    'Semaglutide 0,5 mg/mL',
  ])('Another strength, as in "%s", is rejected', (name) => expect(chosen(name)).toBe(otherStrength));

  test('An article without a strength serves no name that states one', () => {
    const articles = [stored('sermorelin', 'S-1')];
    expect(chosen('Sermorelin', { articles })).toBe('S-1');
    expect(chosen('Sermorelin 3mg/mL', { articles })).toBe(otherStrength);
  });

  test('The longest match wins, and a shorter one inside it is no ambiguity', () => {
    const articles = withStored([stored('Semaglutide 10mg', 'S-10', { strength: '10mg/mL' })], builtIn);
    expect(chosen('Semaglutide 10mg/mL', { articles })).toBe('S-10');
    expect(chosen('Semaglutide 5mg/mL', { articles })).toBe('12565');
    const blend = withStored([stored('semaglutide/nad', 'BLEND')], builtIn);
    expect(chosen('Semaglutide/NAD', { articles: blend })).toBe('BLEND');
  });

  test('A stored article replaces the built-in one of its match, and the newest one comes first', () => {
    const articles = withStored([stored('SEMAGLUTIDE', 'S-NEW', { strength: '5mg/mL' })], builtIn);
    expect(articles.map(({ article }) => article)).toEqual(['S-NEW', '12850', '12832']);
    expect(chosen('semaglutide 5mg/mL', { articles })).toBe('S-NEW');
  });

  test('Two matches of one article are no ambiguity', () => {
    const articles = [stored('wegovy', 'S-1'), stored('semaglutide', 'S-1')];
    expect(chosen('Wegovy (semaglutide)', { articles })).toBe('S-1');
  });

  test('A match is text, not a pattern', () => {
    const articles = [stored('b.12', 'B-12')];
    expect(chosen('bx12', { articles })).toBeUndefined();
    expect(chosen('B.12', { articles })).toBe('B-12');
  });
});

describe('The article for a key (D124)', () => {
  const tenfold = stored('semaglutide 10mg', 'S-10', { strength: '10mg/mL', medication: 'semaglutide_10' });
  const articles = withStored([tenfold], builtIn);

  test('comes before the name, whatever the name says', () =>
    expect(chosen('Semaglutide 5mg/mL', { articles, key: 'semaglutide_10' })).toBe('S-10'));

  test('is found by the name where no article has the key', () => {
    expect(chosen('Semaglutide 5mg/mL', { articles, key: 'other' })).toBe('12565');
    expect(chosen('Semaglutide 7mg/mL', { articles, key: 'other' })).toBe(otherStrength);
  });

  test('is ambiguous where two articles have it', () =>
    expect(
      chosen('', { articles: [tenfold, { ...tenfold, match: 'x', article: 'S-11' }], key: 'semaglutide_10' }),
    ).toBe('Ambiguous medication for pharmacy_a: semaglutide 10mg, x'));
});

test('Every built-in medication gets its own SKU at pharmacy_a by its key and by its display name', () => {
  const { catalog } = systems.pharmacy_a.create({} as ServiceConfig<'router'>);
  const articles = [...catalog.articles];
  for (const medication of builtInMedications) {
    expect(chosen(orderedMedication(medication).name, { articles, key: medication.key })).toBe(
      medication.sku,
    );
    expect(chosen(medication.displayName, { articles })).toBe(medication.sku);
  }
});

test('A stored medication is ordered by its display name, so that a built-in key does not hide another strength', () => {
  const other = { key: 'semaglutide', displayName: 'Semaglutide 10mg/mL', source: 'stored' as const };
  expect(orderedMedication(other)).toEqual({ name: 'Semaglutide 10mg/mL', key: 'semaglutide' });
  const { name, key } = orderedMedication(other);
  expect(chosen(name, { key })).toBe(otherStrength);
});

test('The label of a run is the only built-in medication in its text', () => {
  expect(['Semaglutide 10mg/mL', 'menadione', 'semaglutide with NAD'].map(catalogMedication)).toEqual([
    'semaglutide',
    'other',
    'other',
  ]);
});
