import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { findRefundedCents } from '../../../../db/orchestrator/payments.js';
import {
  hasFailedRefund,
  recordFailedRefund,
  recordRefusedRefund,
} from '../../../../db/orchestrator/refunds.js';
import { beginAnswer } from '../../../../db/work-items.js';
import { eventually, freshTask, sandbox, shared } from '../../../helpers/client.js';
import { cancel, refundsOf } from '../exceptions.js';
import { answer, failAtBank, idsOf, paid, paidReplacement, refundPart, tell, tellBank } from '../refunds.js';
import { postStripe, stripeEvent } from '../stripe-webhooks.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

const refundedOf = (taskId: string) => findRefundedCents(sql, taskId);
const itemOf = async (taskId: string) => {
  const [item] = await sql<{ id: string }[]>`
    select id, state, reason from orchestrator.work_item where kind = 'refund_failed' and fact = ${taskId}
  `;
  return item!;
};

test('A make-up refund that failed at once is owed once, under another key, and its webhook changes nothing (D153)', async () => {
  const { taskId, charge } = await paid();
  await refundPart(taskId, 5_000);
  await refundPart(taskId, 1_000);
  const [late] = await idsOf(charge.paymentIntent);
  await failAtBank(late!);
  await tell('refund.failed', late!);
  const item = await itemOf(taskId);
  await tellBank(charge, 'expired_or_canceled_card');
  await answer(item.id, 'retry');
  const [atOnce] = await idsOf(charge.paymentIntent);
  expect(atOnce).not.toBe(late);
  await eventually(async () => (await tell('refund.failed', atOnce!)).status === 200);
  expect(await refundedOf(taskId)).toBe(5_000);

  await tellBank(charge, 'paid');
  expect((await answer(item.id, 'retry')).status).toBe(200);
  await eventually(async () => (await refundedOf(taskId)) === 6_000);
  expect(await refundsOf(dev, taskId)).toMatchObject([
    { amountCents: 1_000, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~4` },
    { amountCents: 1_000, status: 'failed', idempotencyKey: `refund:charge:${taskId}:1~2` },
    { amountCents: 1_000, status: 'failed', idempotencyKey: `refund:charge:${taskId}:1:2` },
    { amountCents: 5_000, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1:1` },
  ]);
});

test('A cancellation whose refund failed at once keeps what was refunded before, and its retry has another key', async () => {
  const { taskId, charge } = await paid();
  await refundPart(taskId, 5_000);
  await tellBank(charge, 'expired_or_canceled_card');
  const { body } = await cancel(dev, { taskId, reason: 'Prescribed twice' });
  expect(body.cancellation).toMatchObject({ state: 'approved', refundedCents: 5_000 });
  const [atOnce] = await idsOf(charge.paymentIntent);
  const item = await itemOf(taskId);
  expect(item).toMatchObject({ state: 'open', reason: 'refused' });
  expect(await tell('refund.failed', atOnce!)).toMatchObject({ status: 200 });
  expect(await refundedOf(taskId)).toBe(5_000);

  await tellBank(charge, 'paid');
  expect((await answer(item.id, 'retry')).status).toBe(200);
  await eventually(async () => (await refundedOf(taskId)) === 29_900);
  expect(await refundsOf(dev, taskId)).toMatchObject([
    { amountCents: 24_900, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~3` },
    { amountCents: 24_900, status: 'failed', idempotencyKey: `refund:charge:${taskId}:1` },
    { amountCents: 5_000, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1:1` },
  ]);
});

test.each([
  ['task', paid],
  ['replacement', paidReplacement],
])('A cancelled %s with a failed refund of a part is refunded in full and once', async (_what, pay) => {
  const { taskId, charge } = await pay();
  const refund = { charge: charge.id, amountCents: 5_000 };
  await sandbox(dev, '/stripe/refunds', { method: 'POST', body: refund });
  await tell('charge.refunded', charge.id);
  const [part] = await idsOf(charge.paymentIntent);
  await failAtBank(part!);
  await tell('refund.failed', part!);
  expect(await itemOf(taskId)).toMatchObject({ state: 'open', reason: 'expired_or_canceled_card' });

  await cancel(dev, { taskId: taskId.replace(/~1$/, ''), reason: 'Prescribed twice' });
  await eventually(async () => (await refundedOf(taskId)) === 29_900);
  expect(await refundsOf(dev, taskId)).toMatchObject([
    { amountCents: 29_900, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~2` },
  ]);
  expect(await itemOf(taskId)).toMatchObject({ state: 'closed' });
});

test('A cancellation after the retried refund of a part refunds the rest under another key', async () => {
  const { taskId, charge } = await paid();
  await refundPart(taskId, 5_000);
  const [part] = await idsOf(charge.paymentIntent);
  await failAtBank(part!);
  await tell('refund.failed', part!);
  expect((await answer((await itemOf(taskId)).id, 'retry')).status).toBe(200);
  await eventually(async () => (await refundedOf(taskId)) === 5_000);

  const { body } = await cancel(dev, { taskId, reason: 'Prescribed twice' });
  expect(body.cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
  expect(await refundsOf(dev, taskId)).toMatchObject([
    { amountCents: 24_900, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~3` },
    { amountCents: 5_000, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~2` },
    { amountCents: 5_000, status: 'failed', idempotencyKey: `refund:charge:${taskId}:1:1` },
  ]);
});

test('A cancellation whose refund is rejected opens the work item of an earlier failed refund again', async () => {
  const { taskId, charge } = await paid();
  await refundPart(taskId, 5_000);
  const [part] = await idsOf(charge.paymentIntent);
  await failAtBank(part!);
  await tell('refund.failed', part!);
  const { id } = await itemOf(taskId);
  await tellBank(charge, 'expired_or_canceled_card');
  await cancel(dev, { taskId, reason: 'Prescribed twice' });
  expect(await itemOf(taskId)).toMatchObject({ id, state: 'open', reason: 'refused' });

  await tellBank(charge, 'paid');
  expect((await answer(id, 'retry')).status).toBe(200);
  await eventually(async () => (await refundedOf(taskId)) === 29_900);
});

test('503 for the webhook of a failed refund until its run has recorded the answer of the processor', async () => {
  const { taskId, charge } = await paid();
  await refundPart(taskId, 5_000);
  // A person has answered the item of an earlier rejection, and the run has not recorded anything yet.
  await recordRefusedRefund(sql, { taskId, workflowId: 'test' });
  const { id } = await itemOf(taskId);
  await beginAnswer(sql, 'orchestrator', id, { answer: 'retry', by: 'kim@example.test' });
  await sql`update orchestrator.task set cancelled_at = now() where task_id = ${taskId}`;
  const refundId = freshTask();
  const made = {
    id: refundId,
    status: 'failed',
    amount: 24_900,
    payment_intent: charge.paymentIntent,
    metadata: { task_id: taskId, refund_key: `refund:charge:${taskId}:1` },
  };
  const event = stripeEvent('refund.failed', made);
  expect((await postStripe(dev, event))[0]).toBe(503);
  const failed = { refundId, amountCents: made.amount };
  await recordRefusedRefund(sql, { taskId, workflowId: 'test', failed });
  expect(await postStripe(dev, event)).toEqual([200, { ok: true }]);
  expect(await refundedOf(taskId)).toBe(5_000);
});

test('A failure that was reported before the run recorded it is not owed beside what the run makes up for', async () => {
  const { taskId, charge } = await paid();
  const { paymentIntent: paymentIntentId } = charge;
  const failed = { refundId: freshTask(), amountCents: 1_000 };
  await sql.begin((sql) => recordFailedRefund(sql, { ...failed, part: null, paymentIntentId }));
  expect(await hasFailedRefund(sql, paymentIntentId)).toBe(true);
  await recordRefusedRefund(sql, { taskId, workflowId: 'test', failed });
  expect(await hasFailedRefund(sql, paymentIntentId)).toBe(false);
});
