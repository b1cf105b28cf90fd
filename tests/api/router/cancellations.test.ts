import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, call, sandbox, shared } from '../../helpers/client.js';
import { inState, named } from '../../helpers/prescription.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}
interface Cancellation {
  state: string;
  reason: string | null;
  requestReason: string | null;
  requestedAt: string;
  answeredAt: string | null;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

async function submitted(state = 'WA', test = false): Promise<Submitted> {
  const { status, body } = await call<Submitted>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: { ...inState(state), test },
  });
  expect(status).toBe(201);
  return body;
}
const cancel = ({ submissionId }: { submissionId: string }, body?: unknown, key = 'clinic') =>
  call<{ submissionId: string; cancellation: Cancellation; error?: string }>(dev, 'router', {
    key,
    method: 'POST',
    path: `/rx/prescriptions/${submissionId}/cancel`,
    ...(body === undefined ? {} : { body }),
  });
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: unknown) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, { method: 'POST', body });
async function record({ submissionId }: Submitted) {
  const { body } = await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submissionId}` });
  return body as { status: string; cancellation: Cancellation | null };
}
/** The statuses that the client is told of, after the submission's. */
async function told({ submissionId }: Submitted): Promise<string[]> {
  const rows = await sql<{ status: string }[]>`
    select payload::json ->> 'status' as status
    from router.callback where submission_id = ${submissionId} and kind = 'update' order by sequence
  `;
  return rows.map(({ status }) => status);
}
/** The order's states at the pharmacy. */
async function moves({ pharmacyOrderId }: Submitted): Promise<string[]> {
  const { orders } = await sandbox<{ orders: { orderId: string; moves: { status: string }[] }[] }>(
    dev,
    '/orders',
  );
  return (orders.find(({ orderId }) => orderId === pharmacyOrderId)?.moves ?? []).map(({ status }) => status);
}
const approved = {
  state: 'approved',
  reason: null,
  requestReason: null,
  requestedAt: expect.any(String),
  answeredAt: expect.any(String),
};
const deniedAs = (reason: string) => ({ ...approved, state: 'denied', reason });

describe('POST /rx/prescriptions/:id/cancel', () => {
  test.each([
    ['WA', 'pharmacy_a', false],
    ['NY', 'pharmacy_c', false],
    ['TX', 'pharmacy_b', false],
    ['TX', 'pharmacy_b', true],
  ])(
    '200 approved for %s at %s, test %s: record, book and callback have it',
    async (state, pharmacy, isTest) => {
      const order = await submitted(state, isTest);
      expect(order.pharmacy).toBe(pharmacy);
      expect((await record(order)).cancellation).toBeNull();
      const { status, body } = await cancel(order, { reason: 'Changed her mind' });
      const cancellation = { ...approved, requestReason: 'Changed her mind' };
      expect([status, body]).toEqual([200, { submissionId: order.submissionId, cancellation }]);
      expect(await record(order)).toMatchObject({ status: 'cancelled', cancellation: body.cancellation });
      expect([await moves(order), await told(order)]).toEqual([['cancelled'], ['cancelled']]);

      // A repeat is the first answer, whatever it says.
      expect((await cancel(order, { reason: 'Other' })).body.cancellation).toEqual(body.cancellation);
    },
  );

  test('200 for five at once: the pharmacy is told one key, the client one change', async () => {
    const order = await submitted();
    const answers = await atOnce(5, () => cancel(order));
    expect(answers.map(({ status, body }) => [status, body.cancellation])).toEqual(
      answers.map(() => [200, answers[0]?.body.cancellation]),
    );
    expect([await moves(order), await told(order)]).toEqual([['cancelled'], ['cancelled']]);
  });

  test.each([
    ['WA', 'already-shipped', 'already_shipped'],
    ['WA', 'already-dispensed', 'already_dispensed'],
    ['WA', 'not-found', 'not_found'],
    ['WA', 'call-us', 'other'],
    ['TX', 'SHIPPED', 'already_shipped'],
    ['TX', 'DISPENSED', 'already_dispensed'],
    ['TX', 'UNKNOWN', 'not_found'],
    ['TX', 'constructor', 'other'],
  ])('200 denied in %s with %s: %s, and nothing else changes', async (state, word, reason) => {
    const order = await submitted(state);
    await control(order, 'cancellation', { answer: 'deny', reason: word });
    const { status, body } = await cancel(order);
    expect([status, body.cancellation]).toEqual([200, deniedAs(reason)]);
    expect(await record(order)).toMatchObject({ status: 'submitted', cancellation: body.cancellation });
    expect([await moves(order), await told(order)]).toEqual([[], []]);
  });

  test('200: after a denial a new request asks again, under a new key', async () => {
    const order = await submitted();
    await control(order, 'cancellation', { answer: 'deny', reason: 'call-us' });
    expect((await cancel(order, { reason: 'first' })).body.cancellation).toMatchObject({ state: 'denied' });
    await control(order, 'cancellation', { answer: 'approve' });
    const { cancellation } = (await cancel(order, { reason: 'second' })).body;
    expect(cancellation).toMatchObject({ state: 'approved', reason: null, requestReason: 'second' });
    expect(await told(order)).toEqual(['cancelled']);
  });

  test('200 denied as not_found for an order that the pharmacy does not know', async () => {
    const order = await submitted();
    await sql`
      update router.submission set pharmacy_order_id = ${`case_${randomUUID()}`} where id = ${order.submissionId}
    `;
    expect((await cancel(order)).body.cancellation).toEqual(deniedAs('not_found'));
  });

  test('200 without asking: what was delivered is denied, what is cancelled is approved', async () => {
    const [delivered, cancelled] = [await submitted(), await submitted()];
    await control(delivered, 'status', { status: 'delivered' });
    await control(delivered, 'cancellation', { answer: 'approve' });
    expect((await cancel(delivered)).body.cancellation).toEqual(deniedAs('already_dispensed'));
    await control(cancelled, 'status', { status: 'cancelled' });
    await control(cancelled, 'cancellation', { answer: 'deny', reason: 'call-us' });
    expect((await cancel(cancelled)).body.cancellation).toEqual(approved);
    expect([await told(delivered), await told(cancelled)]).toEqual([['delivered'], ['cancelled']]);
  });

  test('200: the pharmacy decides what has shipped', async () => {
    const [shipped, stopped] = [await submitted(), await submitted()];
    await control(shipped, 'status', { status: 'shipped' });
    expect((await cancel(shipped)).body.cancellation).toEqual(deniedAs('already_shipped'));
    await control(stopped, 'status', { status: 'shipped' });
    await control(stopped, 'cancellation', { answer: 'approve' });
    expect((await cancel(stopped)).body.cancellation).toEqual(approved);
    expect((await record(stopped)).status).toBe('cancelled');
  });

  test('400 for a reason that is no text or too long', async () => {
    const order = await submitted();
    for (const reason of [1, 'x'.repeat(501)]) expect((await cancel(order, { reason })).status).toBe(400);
    expect((await record(order)).cancellation).toBeNull();
  });

  test('403 for another client’s, 404 for an unknown one', async () => {
    const order = await submitted();
    expect(await cancel(order, undefined, 'clinic_b')).toMatchObject({ status: 403 });
    for (const submissionId of [randomUUID(), 'nothing'])
      expect(await cancel({ submissionId })).toMatchObject({
        status: 404,
        body: { error: 'Submission not found' },
      });
  });

  test('409 for one that the pharmacy has rejected', async () => {
    const refused = await call<Submitted>(dev, 'router', {
      key: 'clinic',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: named('Aspirin'),
    });
    expect(refused.status).toBe(502);
    const { status, body } = await cancel(refused.body);
    expect([status, body]).toEqual([409, { error: 'There is no order to cancel' }]);
  });
});
