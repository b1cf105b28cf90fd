import type { ChargeMark, ProcessorNews } from '../../domain/orchestrator/processor-news.js';
import { first, type Queryable, type Sql } from '../client.js';
import { openWorkItem } from '../work-items.js';
import { recordEvent } from './events.js';
import { findOrder } from './orders.js';
import { type ReceiptSetting, settleHeld } from './payment-attempts.js';
import { countRefunds, findOwnDueRefund, recordFailedRefund } from './refunds.js';

/**
 * True while the run of a failed refund has not recorded the processor's answer. Only the record says whether the
 * amount was counted.
 */
export async function isUndecided(
  sql: Queryable,
  { paymentIntentId, part, attempt }: Extract<ProcessorNews, { kind: 'refund_failed' }>,
): Promise<boolean> {
  const payment = await first(sql<{ taskId: string; isPending: boolean }[]>`
    select task_id, exists (
        select from orchestrator.part_refund where reference = task_id and n = ${part} and state = 'pending'
      ) as is_pending
    from orchestrator.payment where payment_intent_id = ${paymentIntentId}
  `);
  if (!payment || attempt === null) return payment?.isPending ?? false;
  return (await findOwnDueRefund(sql, payment.taskId))?.attempt === attempt;
}

/**
 * Applies an event of the processor once per id, in one transaction (D108). A late or reordered event changes no
 * recorded result.
 */
export async function takeProcessorEvent(
  sql: Sql,
  event: { id: string; type: string; news: ProcessorNews },
  setting: ReceiptSetting,
): Promise<void> {
  const { id, type, news } = event;
  await sql.begin(async (sql) => {
    const { count } = await sql`
      insert into orchestrator.processor_event (id, type) values (${id}, ${type})
      on conflict (id) do nothing
    `;
    if (count > 0) await apply(sql, news, setting);
  });
}

async function apply(sql: Queryable, news: ProcessorNews, setting: ReceiptSetting): Promise<void> {
  const { paymentIntentId } = news;
  switch (news.kind) {
    case 'charged':
      return takeCharge(sql, news, setting);
    case 'declined': {
      const { reference: taskId, attempt } = news.mark;
      const [doubted] = await sql`
        select from orchestrator.payment
        where task_id = ${taskId} and attempt = ${attempt} and status = 'pending'
      `;
      const { reason } = news;
      const declined = { taskId, attempt, status: 'failed' as const, paymentIntentId, reason };
      if (doubted) await settleHeld(sql, declined, setting);
      return;
    }
    case 'refunded': {
      const named = sql`payment_intent_id = ${paymentIntentId} or ${isMarked(sql, news.mark)}`;
      return countRefunds(sql, named, news.refundedCents);
    }
    case 'refund_failed': {
      const failed = await recordFailedRefund(sql, news);
      if (!failed) return;
      const reference = failed.taskId;
      const taskId = (await findOrder(sql, reference))?.taskId ?? reference;
      return openWorkItem(sql, 'orchestrator', {
        kind: 'refund_failed',
        fact: reference,
        reason: codeOf(news.reason),
        references: { taskId, reference },
      });
    }
    case 'disputed': {
      const [disputed] = await sql<Disputed[]>`
        select task_id as reference, amount_cents, currency
        from orchestrator.payment
        where payment_intent_id = ${paymentIntentId} or ${isMarked(sql, news.mark)}
      `;
      if (disputed) await reportDispute(sql, news, disputed);
    }
  }
}

/** The processor reports a change to a charge whose answer we have not recorded yet. */
const isMarked = (sql: Queryable, mark: ChargeMark | null) =>
  mark === null
    ? sql`false`
    : sql`payment.task_id = ${mark.reference} and attempt = ${mark.attempt} and payment_intent_id is null`;

/**
 * Records a successful charge. An earlier attempt counts too, if it was recorded as failed and no attempt is in
 * progress: nothing more is charged.
 */
async function takeCharge(
  sql: Queryable,
  { mark, paymentIntentId, amountCents }: Extract<ProcessorNews, { kind: 'charged' }>,
  setting: ReceiptSetting,
): Promise<void> {
  const { reference: taskId, attempt: charged } = mark;
  const [payment] = await sql<{ attempt: number; status: string }[]>`
    select attempt, status from orchestrator.payment where task_id = ${taskId} for update
  `;
  if (!payment || payment.status === 'succeeded' || payment.attempt < charged) return;
  const { attempt, status } = payment;
  if (attempt > charged && status !== 'failed') return;
  // The card of the later attempt has not paid.
  if (attempt > charged)
    await sql`
      update orchestrator.payment set amount_cents = ${amountCents}, handed_in_at = null where task_id = ${taskId}
    `;
  const succeeded = { taskId, attempt, status: 'succeeded' as const, paymentIntentId, reason: null };
  await settleHeld(sql, succeeded, setting);
}

interface Disputed {
  reference: string;
  amountCents: number;
  currency: string;
}

const codeOf = (reason: string): string => (/^[a-z_]{1,60}$/.test(reason) ? reason : 'general');

/** Opens one work item for each dispute, even after somebody closed it. */
async function reportDispute(
  sql: Queryable,
  { disputeId, reason }: Extract<ProcessorNews, { kind: 'disputed' }>,
  { reference, ...data }: Disputed,
): Promise<void> {
  const [known] = await sql`
    select from orchestrator.work_item where kind = 'charge_disputed' and fact = ${disputeId}
  `;
  if (known) return;
  await recordEvent(sql, { type: 'payment.disputed', taskId: reference, data });
  const taskId = (await findOrder(sql, reference))?.taskId ?? reference;
  await openWorkItem(sql, 'orchestrator', {
    kind: 'charge_disputed',
    fact: disputeId,
    reason: codeOf(reason),
    references: { taskId, reference },
  });
}
