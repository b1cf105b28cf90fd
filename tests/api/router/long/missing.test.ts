import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { reportUnanswered } from '../../../../db/router/cancellations.js';
import { reconcileUnknownOrder } from '../../../../db/router/unknown-orders.js';
import { callsTo } from '../../orchestrator/approvals.js';
import { atOnce, call, eventually, sandbox, shared } from '../../../helpers/client.js';
import { inState } from '../../../helpers/prescription.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}
interface Record {
  status: string;
  errorMessage: string | null;
  pharmacyOrderId: string | null;
  holds: { state: string }[];
  cancellation: { state: string; reason: string | null } | null;
}

const dev = shared();
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

const submit = (body: unknown) =>
  call<Submitted>(dev, 'router', { key: 'clinic', method: 'POST', path: '/rx/prescriptions/submit', body });
async function submitted(state = 'WA'): Promise<Submitted> {
  const { status, body } = await submit(inState(state));
  expect(status).toBe(201);
  return body;
}
const post = ({ submissionId }: { submissionId: string }, what: string, key = 'clinic') =>
  call<{ submissionId: string; found: boolean; error: string; cancellation: object }>(dev, 'router', {
    key,
    method: 'POST',
    path: `/rx/prescriptions/${submissionId}/${what}`,
  });
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: unknown = {}) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, { method: 'POST', body });
async function record({ submissionId }: { submissionId: string }): Promise<Record> {
  const { body } = await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submissionId}` });
  return body as unknown as Record;
}
/** The updates queued for the client. */
async function told({ submissionId }: { submissionId: string }) {
  const rows = await sql<{ payload: string }[]>`
    select payload from router.callback where submission_id = ${submissionId} and kind = 'update' order by sequence
  `;
  return rows.map(({ payload }) => JSON.parse(payload) as { status: string });
}
const isUnknown = async ({ submissionId }: Submitted) => {
  const [row] =
    await sql`select from router.submission where id = ${submissionId} and unknown_since is not null`;
  return row !== undefined;
};
/** A webhook that the pharmacy sends although it said that it does not have the order. */
const webhook = async (body: object) => {
  const { status } = await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
};
const missing = { status: 'failed', errorMessage: 'The pharmacy does not have this order' };
/** The order is lost at the pharmacy, and the router knows. */
async function lost(state = 'WA'): Promise<Submitted> {
  const order = await submitted(state);
  await control(order, 'forget');
  expect((await post(order, 'missing')).body.found).toBe(false);
  return order;
}

const notFound = { state: 'denied', reason: 'not_found' };
/** The pharmacy has not answered a cancellation in time: its run waits for a person, and no sweep looks for it. */
async function pend({ submissionId }: Submitted): Promise<void> {
  await sql`
    insert into router.cancellation (submission_id, state, requested_at)
    values (${submissionId}, 'pending', now() + interval '1 hour')
  `;
  await reportUnanswered(sql, { submissionId, number: 1, workflowId: `cancellation:${submissionId}` });
  expect(await stateOfItem({ submissionId })).toBe('open');
}
async function stateOfItem({ submissionId }: Pick<Submitted, 'submissionId'>): Promise<string | undefined> {
  const [item] = await sql<{ state: string }[]>`
    select state from router.work_item where kind = 'cancellation_unanswered' and fact = ${submissionId}
  `;
  return item?.state;
}

describe('POST /rx/prescriptions/:id/missing', () => {
  test.each(['WA', 'TX', 'NY'])('200 found in %s: nothing changes', async (state) => {
    const order = await submitted(state);
    const before = await record(order);
    const { status, body } = await post(order, 'missing');
    expect([status, body]).toEqual([200, { submissionId: order.submissionId, found: true }]);
    expect([await record(order), await told(order), await isUnknown(order)]).toEqual([before, [], false]);
  });

  test.each(['WA', 'TX', 'NY'])(
    '200 not found in %s: the record fails, one callback says so, and its holds are released',
    async (state) => {
      const order = await submitted(state);
      await control(order, 'hold', { id: 'h1', code: 'S' });
      await control(order, 'status', { status: 'processing' });
      await control(order, 'forget');
      const answers = await atOnce(3, () => post(order, 'missing'));
      for (const { status, body } of answers)
        if (status === 200) expect(body).toEqual({ submissionId: order.submissionId, found: false });
        else expect(status).toBe(409);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const { pharmacyOrderId } = order;
      expect(await record(order)).toMatchObject({
        ...missing,
        pharmacyOrderId,
        holds: [{ state: 'released' }],
      });
      expect(await told(order)).toEqual([
        expect.objectContaining({ status: 'processing' }),
        {
          submissionId: order.submissionId,
          sourceOrderId: expect.any(String),
          pharmacy: order.pharmacy,
          status: 'failed',
          pharmacyOrderId,
          trackingNumber: null,
          carrier: null,
        },
      ]);
      // A key that receives no holds gets one callback less for them.
      const items = await sql`select kind from router.work_item where fact like ${`${order.submissionId}%`}`;
      expect(items).toEqual([]);
    },
  );

  test('409 for an order that shipped, ended or failed, and nothing is looked for', async () => {
    for (const status of ['shipped', 'delivered', 'cancelled']) {
      const order = await submitted();
      await control(order, 'status', { status });
      expect(await post(order, 'missing')).toMatchObject({
        status: 409,
        body: { error: 'The order is not open at the pharmacy' },
      });
      expect(await isUnknown(order)).toBe(false);
    }
    const order = await lost();
    expect((await post(order, 'missing')).status).toBe(409);
    expect(await told(order)).toHaveLength(1);
  });

  test('403 for the order of another client, 404 for an unknown one', async () => {
    const order = await submitted();
    expect((await post(order, 'missing', 'clinic_b')).status).toBe(403);
    for (const submissionId of [randomUUID(), 'none'])
      expect((await post({ submissionId }, 'missing')).status).toBe(404);
  });
});

describe('an order that the pharmacy does not have (D138)', () => {
  test('is looked for after a cancellation that is denied as not_found', async () => {
    const order = await submitted();
    await control(order, 'forget');
    const { status, body } = await post(order, 'cancel');
    expect([status, body.cancellation]).toMatchObject([200, { state: 'denied', reason: 'not_found' }]);
    await eventually(async () => (await record(order)).status === 'failed');
    expect(await record(order)).toMatchObject({ ...missing, cancellation: { reason: 'not_found' } });
  });

  test('is not failed by that denial if it is found by its reference', async () => {
    const order = await submitted();
    await control(order, 'cancellation', { answer: 'deny', reason: 'not-found' });
    expect((await post(order, 'cancel')).body.cancellation).toMatchObject({ reason: 'not_found' });
    await eventually(async () => !(await isUnknown(order)));
    expect([await record(order), await told(order)]).toMatchObject([{ status: 'submitted' }, []]);
  });

  test('is looked for after a query for its status', async () => {
    const [gone, kept] = [await submitted('TX'), await submitted('TX')];
    await control(gone, 'forget');
    for (const { submissionId } of [gone, kept])
      await sql`update router.submission set heard_at = now() - interval '2 days' where id = ${submissionId}`;
    await eventually(async () => {
      await temporal.client.schedule.getHandle('pharmacy-silence-check').trigger();
      return (await record(gone)).status === 'failed';
    });
    expect([await record(gone), await record(kept)]).toMatchObject([missing, { status: 'submitted' }]);
  });

  test('answers a pending cancellation, which then cannot cancel the next order', async () => {
    const body = inState('WA');
    const order = (await submit(body)).body;
    await control(order, 'forget');
    await pend(order);
    expect((await post(order, 'missing')).body.found).toBe(false);
    expect(await record(order)).toMatchObject({ ...missing, cancellation: notFound });
    expect(await stateOfItem(order)).toBe('closed');
    await eventually(async () => {
      const run = temporal.client.workflow.getHandle(`cancellation:${order.submissionId}`);
      const described = await run.describe().catch(() => undefined);
      return described?.status.name === 'COMPLETED';
    });

    // Asked for once more, and not answered before the same submission orders anew.
    await sql`
      update router.cancellation set
        state = 'pending', reason = null, answered_at = null, requested_at = now() + interval '1 hour'
      where submission_id = ${order.submissionId}
    `;
    const again = await submit(body);
    expect(again.status).toBe(201);
    expect(await record(order)).toMatchObject({
      status: 'submitted',
      pharmacyOrderId: again.body.pharmacyOrderId,
      cancellation: notFound,
    });
  });

  test('answers a pending cancellation of an order without an answer that does not exist', async () => {
    const order = await submitted();
    const { submissionId } = order;
    const [{ claimId }] = await sql<[{ claimId: string }]>`
      update router.submission set
        outcome = 'unanswered', status = 'failed', pharmacy_order_id = null, unknown_since = now() + interval '1 hour'
      where id = ${submissionId}
      returning claim_id
    `;
    await pend(order);
    await reconcileUnknownOrder(sql, { submissionId, claimId }, { pharmacyOrderId: null, response: 'null' });
    expect(await record(order)).toMatchObject({ status: 'failed', cancellation: notFound });
  });

  test('is not failed if it is cancelled during the look', async () => {
    const order = await submitted();
    const { submissionId } = order;
    // A look that no run makes yet.
    await sql`update router.submission set unknown_since = now() + interval '1 hour' where id = ${submissionId}`;
    expect((await post(order, 'cancel')).body.cancellation).toMatchObject({ state: 'approved' });
    expect([await isUnknown(order), await record(order)]).toMatchObject([false, { status: 'cancelled' }]);
  });

  test('cannot be cancelled: 409 after another look by its reference', async () => {
    const order = await lost();
    const { status, body } = await post(order, 'cancel');
    expect([status, body.error]).toEqual([409, 'There is no order to cancel']);
    const finds = (await callsTo(dev, 'pharmacy_a')).filter(
      ({ operation, path }) => operation === 'find' && path.includes(order.submissionId),
    );
    expect(finds).toHaveLength(2);
  });

  test('is cancelled by its reference if the pharmacy has it again', async () => {
    const order = await submitted();
    // The pharmacy knows it under another id, and only after the first look.
    const { submissionId } = order;
    await sql`
      update router.submission set status = 'failed', pharmacy_order_id = ${randomUUID()} where id = ${submissionId}
    `;
    expect((await post(order, 'cancel')).body.cancellation).toMatchObject({ state: 'approved' });
    expect(await record(order)).toMatchObject({
      status: 'cancelled',
      errorMessage: null,
      pharmacyOrderId: order.pharmacyOrderId,
    });
    expect((await told(order)).map(({ status }) => status)).toEqual(['submitted', 'cancelled']);
  });

  test.each([
    ['processing', 'processing'],
    [undefined, 'submitted'],
  ])('exists after all if the pharmacy sends a webhook (%s)', async (rxStatus, status) => {
    const order = await lost();
    await webhook({ caseId: order.pharmacyOrderId, rxStatus });
    expect(await record(order)).toMatchObject({ status, errorMessage: null });
    expect((await told(order)).map(({ status }) => status)).toEqual(['failed', status]);
  });

  test('is ordered anew by the same submission, under another key', async () => {
    const body = inState('WA');
    const first = (await submit(body)).body;
    await control(first, 'forget');
    await post(first, 'missing');
    const again = await submit(body);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(again.body.submissionId).toBe(first.submissionId);
    expect(again.body.pharmacyOrderId).not.toBe(first.pharmacyOrderId);
    expect(await record(first)).toMatchObject({ status: 'submitted', errorMessage: null });
    expect((await submit(body)).headers.get('idempotent-replayed')).toBe('true');
  });
});
