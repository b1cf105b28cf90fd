import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { reconcileUnknownOrder } from '../../../../db/router/unknown-orders.js';
import { call, sandbox, shared } from '../../../helpers/client.js';
import { inState } from '../../../helpers/prescription.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());
const key = 'clinic_holds';
const post = async <T>(path: string, body?: object) => {
  const request = { key, method: 'POST', path, ...(body && { body }) };
  const answer = await call<T>(dev, 'router', request);
  return [answer.status, answer.body] as const;
};
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: object = {}) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, { method: 'POST', body });
async function record({ submissionId }: Submitted) {
  const { body } = await call(dev, 'router', { key, path: `/rx/prescriptions/${submissionId}` });
  return body as { holds: { id: string; state: string }[]; amendments: object[]; parcels: object[] };
}

test('The order after a lost one has none of its holds, amendments and parcels, and takes its own (D138)', async () => {
  const submission = inState('WA');
  const [, lost] = await post<Submitted>('/rx/prescriptions/submit', submission);
  const path = `/rx/prescriptions/${lost.submissionId}`;
  for (const id of ['h1', 'h2', 'h3']) await control(lost, 'hold', { id, code: 'out-of-stock' });
  const change = { answer: 'change', changes: { quantity: 3 } };
  expect(await post(`${path}/holds/h1/answer`, change)).toMatchObject([200, { hold: { id: 'h1' } }]);
  await control(lost, 'status', { status: 'processing', trackingNumber: '1Z1' });
  const before = await record(lost);
  expect(before).toMatchObject({ amendments: [{ holdId: 'h1' }], parcels: [{ trackingNumber: '1Z1' }] });
  expect(before.holds).toHaveLength(3);
  await control(lost, 'forget');
  expect(await post(`${path}/missing`)).toMatchObject([200, { found: false }]);

  const [status, next] = await post<Submitted>('/rx/prescriptions/submit', submission);
  expect(status).toBe(201);
  expect(await record(next)).toMatchObject({ holds: [], amendments: [], parcels: [] });
  expect((await post(`${path}/holds/h1/answer`, change))[0]).toBe(404);

  await control(next, 'release', { id: 'h2' });
  for (const id of ['h2', 'h1']) await control(next, 'hold', { id, code: 'prior-auth' });
  const opened = { code: 'prior_authorization', answer: null, answeredAt: null };
  expect((await record(next)).holds).toEqual([
    expect.objectContaining({ ...opened, id: 'h2', state: 'released' }),
    expect.objectContaining({ ...opened, id: 'h1', state: 'open' }),
  ]);
  expect(await post(`${path}/holds/h1/answer`, { answer: 'proceed' })).toMatchObject([
    200,
    { hold: { id: 'h1', state: 'answered', answer: 'proceed' } },
  ]);
  expect((await record(next)).amendments).toEqual([]);
});

/** The pharmacy has the order all the time, but a look does not find it. */
async function losing({ submissionId }: Submitted): Promise<void> {
  // A look that no run makes yet.
  const [{ claimId }] = await sql<[{ claimId: string }]>`
    update router.submission set unknown_since = now() + interval '1 hour' where id = ${submissionId} returning claim_id
  `;
  await reconcileUnknownOrder(sql, { submissionId, claimId }, { pharmacyOrderId: null, response: 'null' });
}

test.each<[string, (order: Submitted) => Promise<unknown>]>([
  ['its webhook', (order) => control(order, 'hold', { id: 'h1', code: 'out-of-stock' })],
  [
    'a webhook after the one that restores the order',
    async (order) => {
      await control(order, 'status', { status: 'processing' });
      await control(order, 'hold', { id: 'h1', code: 'out-of-stock' });
    },
  ],
  [
    'a look for the order',
    async (order) => {
      await control(order, 'cancellation', { answer: 'deny', reason: 'call-us' });
      const denied = { cancellation: { state: 'denied', reason: 'other' } };
      expect(await post(`/rx/prescriptions/${order.submissionId}/cancel`)).toMatchObject([200, denied]);
    },
  ],
])(
  'A hold that the loss of its order released opens again once %s reports it; others stay (D138)',
  async (_what, report) => {
    const [, order] = await post<Submitted>('/rx/prescriptions/submit', inState('WA'));
    const answerOf = (id: string) => `/rx/prescriptions/${order.submissionId}/holds/${id}/answer`;
    const statesOf = async () =>
      Object.fromEntries((await record(order)).holds.map(({ id, state }) => [id, state]));
    for (const id of ['answered', 'released', 'later', 'h1'])
      await control(order, 'hold', { id, code: 'out-of-stock' });
    expect((await post(answerOf('answered'), { answer: 'proceed' }))[0]).toBe(200);
    await control(order, 'release', { id: 'released' });
    await losing(order);
    const released = { answered: 'released', released: 'released', later: 'released' };
    expect(await statesOf()).toEqual({ ...released, h1: 'released' });

    await report(order);
    expect(await statesOf()).toEqual({ ...released, h1: 'open' });
    await control(order, 'release', { id: 'later' });
    for (const id of ['answered', 'released', 'later'])
      await control(order, 'hold', { id, code: 'out-of-stock' });
    expect(await statesOf()).toEqual({ ...released, h1: 'open' });
    expect(await post(answerOf('h1'), { answer: 'proceed' })).toMatchObject([
      200,
      { hold: { id: 'h1', state: 'answered' } },
    ]);
  },
);
