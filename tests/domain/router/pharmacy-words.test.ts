import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { reportedHold } from '../../../domain/router/holds.js';
import { holdCodes, type PharmacyWords } from '../../../domain/router/pharmacy-words.js';
import { pharmacySystems } from '../../../domain/pharmacies.js';
import { systems } from '../../../integrations/pharmacies/registry.js';

const named = (words: PharmacyWords) => [...words.holds.values(), 'other'].sort();

test.each(pharmacySystems.map((system) => [system, systems[system].words] as const))(
  '%s has one word for each of our codes but `other`, which is every further word (D100)',
  (_name, words) => {
    expect(named(words)).toEqual([...holdCodes].sort());
    const codeOf = (code: string) => reportedHold(words, { id: 'h1', code }).code;
    expect(['', 'constructor', 'out of stocks', 'o.s.'].map(codeOf)).toEqual(Array(4).fill('other'));
  },
);

test.each([
  ['pharmacy_a', 'Clarify RX', 'clarify_prescription'],
  ['pharmacy_a', 'OUT_OF_STOCK', 'out_of_stock'],
  ['pharmacy_a', 'prior authorization', 'prior_authorization'],
  ['pharmacy_b', 'too soon', 'too_soon'],
  ['pharmacy_b', 'os', 'out_of_stock'],
  ['pharmacy_b', 'clarify-rx', 'other'],
] as const)('%s says %s and means %s (D155)', (system, code, meant) => {
  expect(reportedHold(systems[system].words, { id: 'h1', code })).toMatchObject({
    code: meant,
    pharmacyCode: code,
  });
});

test('a hold keeps the pharmacy’s own word and what it added', () => {
  expect(reportedHold(systems.pharmacy_b.words, { id: 'h1', code: 'OS', until: '2026-12-01' })).toEqual({
    id: 'h1',
    code: 'out_of_stock',
    pharmacyCode: 'OS',
    message: null,
    until: '2026-12-01',
  });
});

test('docs/codes.md has each word of each pharmacy beside ours', () => {
  const page = readFileSync(new URL('../../../docs/codes.md', import.meta.url), 'utf8');
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  for (const meaning of ['holds', 'denials'] as const)
    for (const [at, system] of pharmacySystems.entries())
      for (const [word, ours] of systems[system].words[meaning])
        expect([ours, rows.find((cells) => cells[1] === ours)?.at(at - pharmacySystems.length - 1)]).toEqual([
          ours,
          word,
        ]);
});
