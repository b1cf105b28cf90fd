import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import {
  recordFailedRefund,
  recordRefund,
  recordRefusedRefund,
} from '../../../../db/orchestrator/refunds.js';
import { eventually, freshTask, sandbox, shared } from '../../../helpers/client.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';
import { cancel, refundsOf } from '../exceptions.js';
import { answer, failAtBank, idsOf, paid, paidReplacement, refundPart, tell } from '../refunds.js';
import { postStripe, stripeEvent } from '../stripe-webhooks.js';

const dev = shared();
const listPrice = 29_900;
const took = [200, { ok: true }];

let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await sql.end();
  await temporal.close();
});

const cancelled = async () => {
  const task = await paid();
  const { body } = await cancel(dev, { taskId: task.taskId, reason: 'Prescribed twice' });
  expect(body.cancellation).toMatchObject({ state: 'approved', refundedCents: listPrice });
  return task;
};
const refundedOf = async (taskId: string) => {
  const [row] = await sql`select refunded_cents from orchestrator.payment where task_id = ${taskId}`;
  return row?.['refundedCents'] as number;
};
const itemsOf = (taskId: string) => sql<{ id: string; state: string; closedBy: string | null }[]>`
  select id, state, reason, closed_by from orchestrator.work_item where kind = 'refund_failed' and fact = ${taskId}
`;

test('a refund of a replacement that the processor rejects is an item of its task', async () => {
  const { taskId: reference } = await paidReplacement();
  await recordRefusedRefund(sql, { taskId: reference, workflowId: 'test' });
  const items = await sql`
    select refers_to from orchestrator.work_item where kind = 'refund_failed' and fact = ${reference}
  `;
  expect([...items]).toEqual([{ refersTo: { taskId: reference.replace(/~1$/, ''), reference } }]);
});

test('a disputed charge of a replacement is an item of its task', async () => {
  const { taskId: reference, charge } = await paidReplacement();
  const id = `dp_${freshTask()}`;
  const dispute = { id, reason: 'fraudulent', charge: charge.id, payment_intent: charge.paymentIntent };
  expect(await postStripe(dev, stripeEvent('charge.dispute.created', dispute))).toEqual(took);
  const items = await sql`
    select refers_to from orchestrator.work_item where kind = 'charge_disputed' and fact = ${id}
  `;
  expect([...items]).toEqual([{ refersTo: { taskId: reference.replace(/~1$/, ''), reference } }]);
});

describe('a refund that failed after all (D153)', () => {
  test('is taken out of what was refunded, once, and is a work item whose retry refunds under a new key', async () => {
    const { taskId, charge } = await cancelled();
    const [refundId] = await idsOf(charge.paymentIntent);
    await failAtBank(refundId!);
    expect(await tell('charge.refund.updated', refundId!)).toMatchObject({ status: 200 });
    expect(await tell('refund.failed', refundId!)).toMatchObject({ status: 200 });
    expect(await refundedOf(taskId)).toBe(0);
    const [item] = await itemsOf(taskId);
    expect(item).toMatchObject({ state: 'open', reason: 'expired_or_canceled_card' });

    // Told late, of the time before it failed.
    const refundedThen = { ...charge, payment_intent: charge.paymentIntent, amount_refunded: listPrice };
    expect(await postStripe(dev, stripeEvent('charge.refunded', refundedThen))).toEqual(took);
    expect(await refundedOf(taskId)).toBe(0);

    expect((await answer(item!.id, 'retry')).status).toBe(200);
    await eventually(async () => (await refundedOf(taskId)) === listPrice);
    expect(await refundsOf(dev, taskId)).toMatchObject([
      { status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~2` },
      { status: 'failed', idempotencyKey: `refund:charge:${taskId}:1` },
    ]);
    await eventually(async () => (await itemsOf(taskId))[0]?.state === 'closed');
    await tell('refund.failed', refundId!);
    expect(await refundedOf(taskId)).toBe(listPrice);

    // The next one fails too.
    const [again] = await idsOf(charge.paymentIntent);
    await failAtBank(again!);
    await tell('refund.failed', again!);
    expect(await refundedOf(taskId)).toBe(0);
    expect((await itemsOf(taskId))[0]).toMatchObject({ id: item!.id, state: 'open' });
    expect((await answer(item!.id, 'retry')).status).toBe(200);
    await eventually(async () => (await refundedOf(taskId)) === listPrice);
    expect((await refundsOf(dev, taskId))[0]).toMatchObject({
      idempotencyKey: `refund:charge:${taskId}:1~4`,
    });
  });

  test.each([
    ['task', paid],
    ['replacement', paidReplacement],
  ])('of a part of a %s that goes on is made up for by that part only', async (_what, pay) => {
    const { taskId, charge } = await pay();
    const refund = { charge: charge.id, amountCents: 5_000 };
    await sandbox(dev, '/stripe/refunds', { method: 'POST', body: refund });
    await sandbox(dev, '/stripe/refunds', { method: 'POST', body: { ...refund, amountCents: 2_000 } });
    await tell('charge.refunded', charge.id);
    expect(await refundedOf(taskId)).toBe(7_000);
    const [, first] = await idsOf(charge.paymentIntent);
    await failAtBank(first!);
    await tell('refund.failed', first!);
    expect(await refundedOf(taskId)).toBe(2_000);

    const [item] = await itemsOf(taskId);
    expect((await answer(item!.id, 'retry')).status).toBe(200);
    await eventually(async () => (await itemsOf(taskId))[0]?.state === 'closed');
    expect(await refundedOf(taskId)).toBe(7_000);
    expect(await refundsOf(dev, taskId)).toMatchObject([
      { amountCents: 5_000, idempotencyKey: `refund:charge:${taskId}:1~2` },
    ]);
  });

  test('and whose work item a person dismissed is no part of a later refund, nor of the retry of one', async () => {
    const { taskId, charge } = await paid();
    const failNewest = async () => {
      const [refundId] = await idsOf(charge.paymentIntent);
      await failAtBank(refundId!);
      await tell('refund.failed', refundId!);
      const [item] = await itemsOf(taskId);
      return item!.id;
    };
    await refundPart(taskId, 1_000);
    expect((await answer(await failNewest(), 'dismiss')).status).toBe(200);
    // The processor reports the failure again, then the charge as it was before it.
    const [dismissed] = await idsOf(charge.paymentIntent);
    expect(await tell('charge.refund.updated', dismissed!)).toMatchObject({ status: 200 });
    const refundedThen = { ...charge, payment_intent: charge.paymentIntent, amount_refunded: 1_000 };
    expect(await postStripe(dev, stripeEvent('charge.refunded', refundedThen))).toEqual(took);
    expect(await refundedOf(taskId)).toBe(0);

    await refundPart(taskId, 500);
    expect(await refundedOf(taskId)).toBe(500);
    expect((await answer(await failNewest(), 'retry')).status).toBe(200);
    await eventually(async () => (await refundedOf(taskId)) === 500);
    expect(await refundsOf(dev, taskId)).toMatchObject([
      { amountCents: 500, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1~4` },
      { amountCents: 500, status: 'failed', idempotencyKey: `refund:charge:${taskId}:1:2` },
      { amountCents: 1_000, status: 'failed', idempotencyKey: `refund:charge:${taskId}:1:1` },
    ]);
  });

  test('while our record of it was late stays out of the books, and its work item open', async () => {
    const { taskId, charge } = await paid();
    const failed = {
      refundId: freshTask(),
      part: null,
      paymentIntentId: charge.paymentIntent,
      amountCents: listPrice,
    };
    await sql.begin((sql) => recordFailedRefund(sql, failed));
    await recordRefund(sql, { taskId, refundedCents: listPrice, makesUp: [], part: null });
    expect(await refundedOf(taskId)).toBe(0);
  });

  test('and was made again by a person at the processor closes its work item', async () => {
    const { taskId, charge } = await cancelled();
    const [refundId] = await idsOf(charge.paymentIntent);
    await failAtBank(refundId!);
    const failed = {
      id: refundId,
      status: 'failed',
      amount: listPrice,
      payment_intent: charge.paymentIntent,
    };
    await postStripe(dev, stripeEvent('refund.failed', failed));
    expect((await itemsOf(taskId))[0]).toMatchObject({ state: 'open' });
    await sandbox(dev, '/stripe/refunds', { method: 'POST', body: { charge: charge.id } });
    await tell('charge.refunded', charge.id);
    expect(await refundedOf(taskId)).toBe(listPrice);
    expect((await itemsOf(taskId))[0]).toMatchObject({ state: 'closed', closedBy: 'system' });
  });
});

describe('a cancelled task', () => {
  test('whose charge turns out to have succeeded is refunded', async () => {
    const { taskId, charge } = await paid();
    await sql`
      update orchestrator.payment set status = 'failed', payment_intent_id = null, paid_at = null
      where task_id = ${taskId}
    `;
    const { body } = await cancel(dev, { taskId, reason: 'Prescribed twice' });
    expect(body.cancellation).toMatchObject({ state: 'approved', refundedCents: 0 });
    expect(await refundsOf(dev, taskId)).toEqual([]);
    await tell('payment_intent.succeeded', charge.paymentIntent);
    await eventually(async () => (await refundedOf(taskId)) === listPrice);
    expect(await refundsOf(dev, taskId)).toMatchObject([
      { amountCents: listPrice, idempotencyKey: `refund:charge:${taskId}:1` },
    ]);
  });

  test('whose charge is not fully refunded is found by the daily sweep, unless a person settled it', async () => {
    const [forgotten, settled, going] = [await paid(), await paid(), await paid()];
    await sql`
      update orchestrator.task set cancelled_at = now()
      where task_id in ${sql([forgotten.taskId, settled.taskId])}
    `;
    await sql`
      insert into orchestrator.work_item (kind, fact, reason, title, refers_to, answers, state, answer, closed_by, due_at,
          closed_at)
      values ('refund_failed', ${settled.taskId}, 'refused', 'A refund was rejected', '{}', '{retry,dismiss}', 'closed',
        'dismiss', 'kim@example.test', now(), now())
    `;
    const daily = temporal.client.schedule.getHandle('unrefunded');
    await daily.trigger();
    await eventually(async () => (await refundedOf(forgotten.taskId)) === listPrice);
    await eventually(async () => (await daily.describe()).info.runningActions.length === 0);
    await daily.trigger();
    await eventually(async () => (await daily.describe()).info.runningActions.length === 0);
    expect(await refundsOf(dev, forgotten.taskId)).toMatchObject([
      { amountCents: listPrice, idempotencyKey: `refund:charge:${forgotten.taskId}:1` },
    ]);
    expect([await refundsOf(dev, settled.taskId), await refundsOf(dev, going.taskId)]).toEqual([[], []]);
  });
});

describe('what the processor signed, and names nothing of ours, is taken (D153)', () => {
  const amounts = { amount: 2_500_000_000, amount_refunded: 2_500_000_000, currency: 'idr' };
  const foreign = { id: 'ch_x', object: 'charge', ...amounts, payment_intent: 'pi_of_another_product' };

  test.each<[string, string]>([
    [
      'a refund in a currency with large minor amounts',
      '{"type":"charge.refunded","data":{"object":{"id":"ch_x","object":"charge","amount":2500000000,"amount_refunded":2500000000,"currency":"idr","payment_intent":"pi_of_another_product","metadata":{}}}}',
    ],
    [
      'a refund of a charge without a payment intent',
      '{"type":"charge.refunded","data":{"object":{"id":"ch_x","object":"charge","amount":500,"amount_refunded":500,"payment_intent":null,"metadata":{}}}}',
    ],
  ])('%s, byte for byte', async (_name, text) => {
    expect(await postStripe(dev, text)).toEqual(took);
    const named = { id: `evt_${freshTask()}`, ...(JSON.parse(text) as object) };
    expect(await postStripe(dev, named)).toEqual(took);
  });

  test.each<[string, object]>([
    ['an expanded intent', stripeEvent('charge.refunded', { ...foreign, payment_intent: { id: 'pi_x' } })],
    ['an amount beyond any integer', stripeEvent('charge.refunded', { ...foreign, amount_refunded: 1e21 })],
    ['a negative amount', stripeEvent('charge.refunded', { ...foreign, amount_refunded: -1 })],
    ['metadata of another kind', stripeEvent('charge.refunded', { ...foreign, metadata: 'none' })],
    ['no object', stripeEvent('charge.refunded', null)],
    ['a dispute without an intent', stripeEvent('charge.dispute.created', { id: 'dp_x', charge: 'ch_x' })],
    [
      'a failed refund of another',
      stripeEvent('refund.failed', { ...foreign, id: 're_x', status: 'failed' }),
    ],
    ['a refund without an amount', stripeEvent('refund.failed', { id: 're_x', status: 'failed' })],
    ['an intent of another', stripeEvent('payment_intent.succeeded', { id: 'pi_x', status: 'succeeded' })],
    ['a type we do not know', stripeEvent('customer.created', {})],
    [
      'a thin event',
      {
        id: 'evt_thin',
        object: 'v2.core.event',
        type: 'v1.billing.meter.error_report_triggered',
        created: '2026-11-26T10:00:00.000Z',
        related_object: { id: 'mtr_x', type: 'billing.meter', url: '/v1/billing/meters/mtr_x' },
      },
    ],
    ['no event at all', []],
  ])('%s', async (_name, event) => {
    expect(await postStripe(dev, event)).toEqual(took);
  });

  test('an expanded intent of ours counts as its id', async () => {
    const { taskId, charge } = await paid();
    const expanded = { ...charge, payment_intent: { id: charge.paymentIntent, object: 'payment_intent' } };
    await postStripe(dev, stripeEvent('charge.refunded', { ...expanded, amount_refunded: 100 }));
    expect(await refundedOf(taskId)).toBe(100);
    const made = { id: freshTask(), status: 'failed', amount: 100, payment_intent: null, charge: expanded };
    await postStripe(dev, stripeEvent('charge.refund.updated', made));
    expect(await refundedOf(taskId)).toBe(0);
    await postStripe(
      dev,
      stripeEvent('charge.dispute.created', {
        id: `dp_${taskId}`,
        reason: 'fraudulent',
        charge: expanded,
        payment_intent: expanded.payment_intent,
      }),
    );
    const items = await sql`
      select kind from orchestrator.work_item where refers_to ->> 'taskId' = ${taskId} order by kind
    `;
    expect([...items]).toEqual([{ kind: 'charge_disputed' }, { kind: 'refund_failed' }]);
  });
});
