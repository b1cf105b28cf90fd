import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { claimPartRefund, findRequestedRefund } from '../../../../db/orchestrator/part-refunds.js';
import { findPayment, findRefundedCents } from '../../../../db/orchestrator/payments.js';
import { setFault } from '../../../faults/faults.js';
import { atOnce, call, eventually, freshTask, shared } from '../../../helpers/client.js';
import { newPatient, saveCard } from '../../../helpers/patients.js';
import { approve, semaglutideFor } from '../approvals.js';
import { cancel, refundsOf } from '../exceptions.js';
import { postStripe, stripeEvent } from '../stripe-webhooks.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

const reason = 'Came late';
interface Refunded {
  refund: { amountCents: number; refundedCents: number; state: string };
  error: string;
  leftCents: number;
}
const refund = (body: unknown, headers: Record<string, string> = {}) =>
  call<Refunded>(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/refunds', body, headers });
const amounts = async (taskId: string) =>
  (await refundsOf(dev, taskId))
    .map(({ amountCents, idempotencyKey }) => [idempotencyKey, amountCents])
    .reverse();

async function approved(card?: string): Promise<string> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, card === undefined ? {} : { card });
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  return approval.taskId;
}

describe('POST /orchestrator/refunds', () => {
  test('200: refunds a part, then the rest, each under its own key, and never more than was charged', async () => {
    const taskId = await approved();
    const first = await refund({ taskId, amountCents: 5_000, reason });
    expect([first.status, first.body]).toEqual([
      200,
      { refund: { amountCents: 5_000, refundedCents: 5_000, state: 'succeeded' } },
    ]);
    const tooMuch = await refund({ taskId, amountCents: 24_901, reason });
    expect([tooMuch.status, tooMuch.body]).toEqual([409, { error: 'More than is left', leftCents: 24_900 }]);
    const rest = await refund({ taskId, reason });
    expect(rest.body).toEqual({
      refund: { amountCents: 24_900, refundedCents: 29_900, state: 'succeeded' },
    });
    const none = await refund({ taskId, amountCents: 1, reason });
    expect([none.status, none.body]).toEqual([409, { error: 'Nothing to refund' }]);
    expect(await amounts(taskId)).toEqual([
      [`refund:charge:${taskId}:1:1`, 5_000],
      [`refund:charge:${taskId}:1:2`, 24_900],
    ]);
  });

  test('409 for the key of a refund of another task', async () => {
    const [taskId, other] = [await approved(), await approved()];
    const headers = { 'idempotency-key': freshTask() };
    expect((await refund({ taskId, amountCents: 700, reason }, headers)).status).toBe(200);
    expect(await refund({ taskId: other, amountCents: 700, reason }, headers)).toMatchObject({
      status: 409,
      body: { error: 'Idempotency-Key already used with a different refund' },
    });
  });

  test('200 for each of ten requests with one Idempotency-Key, which are one refund', async () => {
    const taskId = await approved();
    const headers = { 'idempotency-key': freshTask() };
    const answers = await atOnce(10, () => refund({ taskId, amountCents: 700, reason }, headers));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.refund.refundedCents}`))).toEqual(
      new Set(['200 700']),
    );
    const again = await refund({ taskId, amountCents: 700, reason }, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await refund({ taskId, amountCents: 800, reason }, headers)).status).toBe(409);
    expect(await amounts(taskId)).toEqual([[`refund:charge:${taskId}:1:1`, 700]]);
  });

  test('200 for concurrent requests of different amounts until nothing is left', async () => {
    const taskId = await approved();
    const wanted = [10_000, 10_001, 10_002, 10_003];
    const answers = await Promise.all(wanted.map((amountCents) => refund({ taskId, amountCents, reason })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const made = await refundsOf(dev, taskId);
    expect(made).toHaveLength(2);
    expect(made.reduce((total, { amountCents }) => total + amountCents, 0)).toBeLessThanOrEqual(29_900);
  });

  test('200 failed when the processor rejects it: the charge stays, and another can be asked for', async () => {
    const taskId = await approved();
    await setFault(dev, {
      target: 'stripe',
      operation: 'refunds.create',
      kind: 'status',
      status: 400,
      times: 1,
      about: taskId,
    });
    const rejected = await refund({ taskId, amountCents: 900, reason });
    expect([rejected.status, rejected.body.refund]).toEqual([
      200,
      { amountCents: 900, refundedCents: 0, state: 'failed' },
    ]);
    const { body } = await refund({ taskId, amountCents: 900, reason });
    expect(body.refund).toEqual({ amountCents: 900, refundedCents: 900, state: 'succeeded' });
  });

  test('The webhook of a refund that failed at once waits for our record, then neither counts nor opens a work item', async () => {
    const taskId = await approved();
    await refund({ taskId, amountCents: 5_000, reason });
    const fault = { target: 'stripe', operation: 'refunds.create', kind: 'status', about: taskId } as const;
    await setFault(dev, { ...fault, status: 503 });
    const requestKey = freshTask();
    const asked = { reference: taskId, amountCents: 5_000, reason, requestedBy: 'key', requestKey };
    await claimPartRefund(sql, asked);
    const failed = {
      id: freshTask(),
      status: 'failed',
      amount: 5_000,
      payment_intent: (await findPayment(sql, taskId))?.paymentIntentId,
      metadata: { task_id: taskId, refund_key: `refund:charge:${taskId}:1:2` },
    };
    const event = stripeEvent('refund.failed', failed);
    expect((await postStripe(dev, event))[0]).toBe(503);
    await setFault(dev, { ...fault, status: 402 });
    await eventually(async () => (await findRequestedRefund(sql, requestKey))?.state === 'failed');
    expect(await postStripe(dev, event)).toEqual([200, { ok: true }]);
    expect(await findRefundedCents(sql, taskId)).toBe(5_000);
    const items = await sql`
      select from orchestrator.work_item where kind = 'refund_failed' and fact = ${taskId}
    `;
    expect(items).toHaveLength(0);
  });

  test('A cancellation after a refund in part refunds the rest, and nothing can be refunded after it', async () => {
    const taskId = await approved();
    await refund({ taskId, amountCents: 9_900, reason });
    const { body } = await cancel(dev, { taskId, reason });
    expect(body.cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
    expect((await amounts(taskId)).map(([, cents]) => cents)).toEqual([9_900, 20_000]);
    expect((await refund({ taskId, reason })).body).toEqual({ error: 'Nothing to refund' });
  });

  test('A claim whose process died before it started the run is refunded by its event, once', async () => {
    const taskId = await approved();
    const claim = { reference: taskId, amountCents: 300, reason, requestedBy: 'key' };
    await claimPartRefund(sql, { ...claim, requestKey: freshTask() });
    await eventually(async () => (await refundsOf(dev, taskId)).length > 0 || undefined);
    expect(await amounts(taskId)).toEqual([[`refund:charge:${taskId}:1:1`, 300]]);
  });

  test('Two requests for all that is left are one refund, beside a smaller one that is not made yet', async () => {
    const taskId = await approved();
    await setFault(dev, {
      target: 'stripe',
      operation: 'refunds.create',
      kind: 'status',
      status: 503,
      // The last claim comes before the second refund is made.
      times: 4,
      about: taskId,
    });
    const claim = (amountCents?: number) =>
      claimPartRefund(sql, {
        reference: taskId,
        amountCents,
        reason,
        requestedBy: 'key',
        requestKey: freshTask(),
      });
    const claimed = [await claim(1_000), await claim(), await claim()];
    expect(claimed).toMatchObject([
      { refund: { n: 1, amountCents: 1_000 }, replayed: false },
      { refund: { n: 2, amountCents: 28_900 }, replayed: false },
      { refund: { n: 2, amountCents: 28_900 }, replayed: true },
    ]);
    await eventually(async () => (await refundsOf(dev, taskId)).length > 1 || undefined);
    expect(await amounts(taskId)).toEqual([
      [`refund:charge:${taskId}:1:1`, 1_000],
      [`refund:charge:${taskId}:1:2`, 28_900],
    ]);
  });

  test('409 for a charge that was declined, 404 for an unknown task, 400 for an amount that is no whole number', async () => {
    const taskId = await approved('pm_card_chargeCustomerFail');
    expect((await refund({ taskId, reason })).body).toEqual({ error: 'Nothing to refund' });
    expect((await refund({ taskId: freshTask(), reason })).status).toBe(404);
    for (const amountCents of [0, 1.5, -1])
      expect((await refund({ taskId, amountCents, reason })).status).toBe(400);
    expect((await refund({ taskId, reason: '' })).status).toBe(400);
  });
});
