import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { call, sandbox, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';
import { callsTo, ordersUnder } from '../orchestrator/approvals.js';

const dev = shared();
const path = '/rx/catalog';

interface Article {
  pharmacy: string;
  match: string;
  article: string;
  strength: string | null;
  medication: string | null;
  source: string;
}
interface Answer {
  article: Article;
  articles: Article[];
  error: string;
  details: { fieldErrors: Record<string, string[]> };
}
const ask = (method: string, rest = '', body?: unknown) =>
  call<Answer>(dev, 'router', { key: 'admin', method, path: path + rest, body });
const put = (pharmacy: string, body: unknown) => ask('PUT', `/${pharmacy}`, body);
const remove = (pharmacy: string, match: string) =>
  ask('DELETE', `/${pharmacy}?${new URLSearchParams({ match }).toString()}`);
/** Submits a prescription of these words to the pharmacy of a state. */
async function order(medication: { name: string; key?: string }, state = 'WA') {
  const plain = inState(state);
  const body = { ...plain, medication: { ...plain.medication, ...medication } };
  const answer = await call<{ submissionId: string; error: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
  return { ...answer, orders: await ordersUnder(dev, answer.body.submissionId) };
}
const word = () => `q${randomUUID().slice(0, 8)}`;

describe('The catalog (D124)', () => {
  test('has the built-in articles with their strengths, for systems only', async () => {
    const { articles } = (await ask('GET')).body;
    expect(articles.filter(({ source }) => source === 'built_in')).toEqual(
      [
        ['pharmacy_a', 'semaglutide', '12565', '5mg/mL'],
        ['pharmacy_a', 'tirzepatide', '12850', '16.75mg-5mg/mL'],
        ['pharmacy_a', 'nad', '12832', '200mg/mL'],
        ['pharmacy_b', 'semaglutide', 'PB-SEMA-5', '5mg/mL'],
        ['pharmacy_b', 'tirzepatide', 'PB-TIRZ-17', '16.75mg-5mg/mL'],
      ].map(([pharmacy, match, article, strength]) => ({
        pharmacy,
        match,
        article,
        strength,
        medication: null,
        source: 'built_in',
      })),
    );
  });

  test('PUT adds or replaces one article per match, compared without case', async () => {
    const match = word();
    const first = await put('pharmacy_b', { match, article: 'B-1' });
    const stored = { pharmacy: 'pharmacy_b', match, article: 'B-1', strength: null, medication: null };
    expect([first.status, first.body]).toEqual([200, { article: { ...stored, source: 'stored' } }]);
    await put('pharmacy_b', {
      match: match.toUpperCase(),
      article: 'B-2',
      strength: '1mg/mL',
      medication: match,
    });
    const { articles } = (await ask('GET')).body;
    expect(articles.filter((one) => one.match.toLowerCase() === match)).toEqual([
      {
        pharmacy: 'pharmacy_b',
        match: match.toUpperCase(),
        article: 'B-2',
        strength: '1mg/mL',
        medication: match,
        source: 'stored',
      },
    ]);
    expect((await remove('pharmacy_b', match)).status).toBe(200);
    expect((await remove('pharmacy_b', match)).status).toBe(404);
  });

  test('409 for the removal of a built-in article', async () => {
    expect((await remove('pharmacy_a', 'Tirzepatide')).status).toBe(409);
  });

  test.each([
    ['pharmacy', 'pharmacy_c', { match: 'x', article: '1' }],
    ['pharmacy', 'pharmacy_x', { match: 'x', article: '1' }],
    ['match', 'pharmacy_a', { match: ' ', article: '1' }],
    ['article', 'pharmacy_a', { match: 'x', article: 'x'.repeat(101) }],
    ['medication', 'pharmacy_a', { match: 'x', article: '1', medication: 'A key' }],
  ])('400 on %s', async (field, pharmacy, body) => {
    const answer = await put(pharmacy, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.details.fieldErrors)).toEqual([field]);
  });

  test('403 without the scope admin', async () => {
    expect((await call(dev, 'router', { key: 'clinic', path })).status).toBe(403);
  });
});

describe('Submissions by name (D124)', () => {
  test.each([
    ['WA', 'Menadione (vitamin K) injection', 'No article of pharmacy_a for this medication'],
    ['WA', 'Nadolol 40mg', 'No article of pharmacy_a for this medication'],
    ['NY', 'Semaglutide 10mg/mL', 'No article of pharmacy_c for this strength'],
    ['TX', 'Semaglutide 10mg/mL', 'No article of pharmacy_b for this strength'],
    [
      'WA',
      'Tirzepatide 16.75mg/mL (switched from semaglutide)',
      'Ambiguous medication for pharmacy_a: semaglutide, tirzepatide',
    ],
  ])('in %s, "%s" is 502 before any call', async (state, name, error) => {
    const { status, body } = await order({ name }, state);
    expect([status, body.error]).toEqual([502, error]);
    const asked = (await Promise.all(['pharmacy_a', 'pharmacy_b'].map((one) => callsTo(dev, one)))).flat();
    expect(JSON.stringify(asked)).not.toContain(body.submissionId);
  });

  test('GET /rx/route agrees', async () => {
    const carried = async (query: Record<string, string>) =>
      (
        await call<{ carriesMedication: boolean }>(dev, 'router', {
          key: 'clinic',
          path: `/rx/route?${new URLSearchParams({ state: 'WA', ...query }).toString()}`,
        })
      ).body.carriesMedication;
    expect(await carried({ medication: 'Menadione' })).toBe(false);
    expect(await carried({ medication: 'Semaglutide 10mg/mL' })).toBe(false);
    expect(await carried({ medication: 'Semaglutide 5mg/mL' })).toBe(true);
  });

  test('a stored article serves its name, its key and pharmacy_c too', async () => {
    const match = word();
    const article = `A-${match}`;
    await sandbox(dev, '/pharmacies/pharmacy_c/articles', { method: 'POST', body: { article } });
    await put('pharmacy_a', { match, article, strength: '3mg/mL', medication: match });
    for (const [name, state, key] of [
      [`${match} 3mg/mL`, 'WA'],
      ['anything 7mg/mL', 'NY', match],
    ] as const) {
      const { status, orders } = await order({ name, ...(key && { key }) }, state);
      expect(status).toBe(201);
      expect(orders).toMatchObject([{ body: { sku: article } }]);
    }
  });
});
