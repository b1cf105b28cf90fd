import { refundDue } from '../../domain/events.js';
import { idPart } from '../../platform/crypto/ids.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { recordEvent } from './events.js';
import { findOrder } from './orders.js';
import { isCancelled } from './tasks.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/** The amount of a charge that is due. */
interface DueRefund {
  /** From 1. It grows with each refund that failed, and with each that is made up for, so every key is new (D153). */
  attempt: number;
  /** null: all that is left. */
  partCents: number | null;
  /** Ids of the failed refunds that it makes up for. */
  makesUp: string[];
  /** The number of a refund that somebody asked for (D135); null for the others. */
  part: number | null;
}

/**
 * Finds what is due of a succeeded charge. For an order that is not cancelled, only the amount that a refund failed to
 * return and nobody dismissed, then a requested one.
 * @returns undefined when nothing is due, or a work item about its rejected refund is open and nobody has answered it
 * with `retry`; a cancellation closes an older one
 */
export async function findDueRefund(sql: Queryable, taskId: string): Promise<DueRefund | undefined> {
  return (await findOwnDueRefund(sql, taskId)) ?? findAskedRefund(sql, taskId);
}

/** The next refund that somebody asked for. That of a cancelled task is part of the rest. */
const findAskedRefund = (sql: Queryable, taskId: string) =>
  first(sql<DueRefund[]>`
    select 1 as attempt, n as part, part.amount_cents as part_cents, '{}'::text[] as makes_up
    from orchestrator.part_refund part
    join orchestrator.payment on payment.task_id = part.reference
    where part.reference = ${taskId} and part.state = 'pending' and payment.status = 'succeeded'
      and not exists (
        select from orchestrator.task where task.task_id = ${taskId} and cancelled_at is not null
      )
    order by n
    limit 1
  `);

/** What is due, without what somebody asked for. */
export async function findOwnDueRefund(sql: Queryable, taskId: string): Promise<DueRefund | undefined> {
  type Own = DueRefund & { failedCents: number; leftCents: number; isDismissed: boolean };
  const row = await first(sql<Own[]>`
    select failed.attempt, failed.cents as failed_cents, failed.makes_up, null as part_cents, null as part,
      amount_cents - refunded_cents as left_cents, ${isDismissed(sql, taskId)} as is_dismissed
    from orchestrator.payment
    cross join lateral (
      select (count(*) + count(*) filter (where is_made_up))::int + 1 as attempt,
        coalesce(sum(amount_cents) filter (where not is_made_up), 0)::int as cents,
        coalesce(array_agg(refund_id) filter (where not is_made_up), '{}') as makes_up
      from orchestrator.failed_refund where reference = ${taskId}
    ) failed
    where task_id = ${taskId} and refunded_cents < amount_cents and not exists (
      select from orchestrator.work_item
      where kind = 'refund_failed' and fact = ${taskId} and state <> 'closed' and answering is distinct from 'retry'
    )
  `);
  if (!row) return undefined;
  const { attempt, failedCents, leftCents, makesUp } = row;
  const isKept = !(await isCancelled(sql, taskId));
  if (isKept && (failedCents === 0 || row.isDismissed)) return undefined;
  return { attempt, partCents: isKept ? Math.min(failedCents, leftCents) : null, makesUp, part: null };
}

/** The person who dismissed the work item has returned the amount in another way, or wants nothing returned. */
const isDismissed = (sql: Queryable, taskId: string) => sql`exists (
  select from orchestrator.work_item
  where kind = 'refund_failed' and fact = ${taskId} and state = 'closed' and answer = 'dismiss'
)`;

/** Counts the refunds of the named payment by their total. The count never decreases here. */
export async function countRefunds(
  sql: Queryable,
  named: ReturnType<typeof isOf>,
  refundedCents: number,
): Promise<void> {
  const [counted] = await sql<
    { taskId: string; isWhole: boolean; amountCents: number; currency: string; refundedCents: number }[]
  >`
    with earlier as (
      select task_id, refunded_cents from orchestrator.payment where ${named} for update
    )
    update orchestrator.payment set
      refunded_cents = greatest(payment.refunded_cents, least(${refundedCents}::numeric, amount_cents)),
      updated_at = now()
    from earlier
    where payment.task_id = earlier.task_id
    returning payment.task_id, payment.refunded_cents >= amount_cents as is_whole, currency,
      payment.refunded_cents, payment.refunded_cents - earlier.refunded_cents as amount_cents
  `;
  if (!counted) return;
  const { taskId, isWhole, ...data } = counted;
  if (data.amountCents > 0) await recordEvent(sql, { type: 'payment.refunded', taskId, data });
  if (!isWhole) return;
  await closeRefund(sql, taskId);
  // Nothing is left of the charge, so nothing that somebody asked for is missing.
  await sql`
    update orchestrator.part_refund set state = 'succeeded', settled_at = now()
    where reference = ${taskId} and state = 'pending'
  `;
}

const isOf = (sql: Queryable, taskId: string) => sql`payment.task_id = ${taskId}`;

async function closeRefund(sql: Queryable, taskId: string): Promise<void> {
  await sql`
    update orchestrator.failed_refund set is_made_up = true where reference = ${taskId} and not is_made_up
  `;
  await closeWorkItem(sql, 'orchestrator', { kind: 'refund_failed', fact: taskId });
}

/** Records what became of a refund that somebody asked for. The first record counts. */
export async function settlePart(
  sql: Queryable,
  { taskId, part, state }: { taskId: string; part: number; state: 'succeeded' | 'failed' },
): Promise<void> {
  await sql`
    update orchestrator.part_refund set state = ${state}, settled_at = now()
    where reference = ${taskId} and n = ${part} and state = 'pending'
  `;
}

export interface MadeRefund {
  taskId: string;
  /** The total that the processor returned for this charge. */
  refundedCents: number;
  /** Ids of the failed refunds that it made up for. */
  makesUp: string[];
  part: number | null;
}

/**
 * Records a refund of ours, and closes the work item about a rejected one. A refund that failed meanwhile, such as this
 * one, is taken off, and its item stays.
 */
export const recordRefund = (sql: Sql, { taskId, refundedCents, makesUp, part }: MadeRefund): Promise<void> =>
  sql.begin(async (sql) => {
    await sql`select from orchestrator.payment where task_id = ${taskId} for update`;
    await sql`
      update orchestrator.failed_refund set is_made_up = true where refund_id = any(${sql.array(makesUp)}::text[])
    `;
    const [failed] = await sql<[{ cents: number }]>`
      select coalesce(sum(amount_cents), 0)::int as cents from orchestrator.failed_refund
      where reference = ${taskId} and not is_made_up
        -- the processor's total leaves out refunds that had failed before this one was asked for
        and created_at >= coalesce(
          (select part.created_at from orchestrator.part_refund part where part.reference = ${taskId} and n = ${part}),
          '-infinity'
        )
    `;
    if (part !== null) await settlePart(sql, { taskId, part, state: 'succeeded' });
    await countRefunds(sql, isOf(sql, taskId), refundedCents - failed.cents);
    if (failed.cents === 0 && part === null) await closeRefund(sql, taskId);
  });

/** True if a refund of this payment failed and has not been made up for. */
export async function hasFailedRefund(sql: Queryable, paymentIntentId: string): Promise<boolean> {
  const failed = await sql`
    select from orchestrator.failed_refund
    where not is_made_up and reference in (
      select task_id from orchestrator.payment where payment_intent_id = ${paymentIntentId}
    )
    limit 1
  `;
  return failed.length > 0;
}

/**
 * Takes a refund that failed after all out of the refunded amount, once (D153). Call it in the transaction that opens
 * the work item. A part that failed at once was never counted, and its caller knows.
 * @returns undefined when the payment is not ours, or the failure is known
 */
export async function recordFailedRefund(
  sql: Queryable,
  failed: { refundId: string; part: number | null; paymentIntentId: string; amountCents: number },
): Promise<{ taskId: string } | undefined> {
  const { refundId, paymentIntentId } = failed;
  const payment = await first(sql<{ taskId: string; amountCents: number }[]>`
    select task_id, amount_cents from orchestrator.payment where payment_intent_id = ${paymentIntentId} for update
  `);
  if (!payment) return undefined;
  const { taskId } = payment;
  const rejected = await sql`
    select from orchestrator.part_refund where reference = ${taskId} and n = ${failed.part} and state = 'failed'
  `;
  if (rejected.length > 0) return undefined;
  const amountCents = Math.round(Math.min(failed.amountCents, payment.amountCents));
  const { count } = await sql`
    insert into orchestrator.failed_refund (refund_id, reference, amount_cents)
    values (${refundId}, ${taskId}, ${amountCents})
    on conflict (refund_id) do nothing
  `;
  if (count === 0) return undefined;
  // The work item opens again for this failure only, so what was dismissed with it stays dismissed.
  await sql`
    update orchestrator.failed_refund set is_made_up = true
    where reference = ${taskId} and refund_id <> ${refundId} and not is_made_up and ${isDismissed(sql, taskId)}
  `;
  await sql`
    update orchestrator.payment set
      refunded_cents = greatest(0, refunded_cents - ${amountCents}::integer), updated_at = now()
    where task_id = ${taskId}
  `;
  return { taskId };
}

export interface RefusedRefund {
  taskId: string;
  workflowId: string;
  /** The refund that the processor made and that failed at once. */
  failed?: { refundId: string; amountCents: number } | undefined;
}

/**
 * Opens a work item for a refund that the processor rejected, unless the charge is fully refunded. A refund that failed
 * at once was never counted, so its row is made up for. The row gives the next refund another key (D153).
 */
export const recordRefusedRefund = (sql: Sql, { taskId, workflowId, failed }: RefusedRefund): Promise<void> =>
  sql.begin(async (sql) => {
    const [payment] = await sql<{ isOwed: boolean }[]>`
      select refunded_cents < amount_cents as is_owed from orchestrator.payment where task_id = ${taskId} for update
    `;
    if (failed)
      await sql`
        insert into orchestrator.failed_refund (refund_id, reference, amount_cents, is_made_up)
        values (${failed.refundId}, ${taskId}, ${failed.amountCents}, true)
        on conflict (refund_id) do update set is_made_up = true
      `;
    if (!payment?.isOwed) return;
    await openWorkItem(sql, 'orchestrator', {
      kind: 'refund_failed',
      fact: taskId,
      reason: 'refused',
      references: { taskId: (await findOrder(sql, taskId))?.taskId ?? taskId, reference: taskId },
      workflowId,
    });
  });

/** Requests the refund of a charge that succeeded after its task was cancelled (D153). */
export const publishRefundDue = (sql: Queryable, reference: string): Promise<string> =>
  publishEvent(sql, 'orchestrator', {
    detailType: refundDue,
    aggregateId: `refund-${idPart(reference)}`,
    detail: { reference },
  });

export interface Unrefunded {
  /** The task id, or the reference of a refill. */
  reference: string;
  /** The task id under which the run is recorded. */
  taskId: string;
}

/**
 * Lists cancelled tasks and replacements whose charge is in doubt or not fully refunded, in the order of their
 * references (D153). Lists charges with an open requested refund too (D135). An open work item still needs an answer;
 * one that was dismissed after the cancellation has had it.
 */
export const listUnrefunded = (sql: Queryable, { after, limit }: { after: string; limit: number }) =>
  sql<Unrefunded[]>`
    select cancelled.reference, coalesce(run.task_id, cancelled.reference) as task_id
    from (
      select task_id as reference, run_id, cancelled_at from orchestrator.task where cancelled_at is not null
      union all
      select reference, run_id, null from orchestrator.replacement where state = 'cancelled'
      union all
      select distinct part.reference, task.run_id, task.cancelled_at from orchestrator.part_refund part
      left join orchestrator.task on task.task_id = part.reference
      where part.state = 'pending' and task.cancelled_at is null
    ) as cancelled
    join orchestrator.payment on payment.task_id = cancelled.reference
    left join orchestrator.run on run.id = cancelled.run_id
    where cancelled.reference > ${after}
      and (payment.status = 'pending' or (payment.status = 'succeeded' and refunded_cents < amount_cents))
      and not exists (
        select from orchestrator.work_item item
        where kind = 'refund_failed' and fact = cancelled.reference
          and (item.state <> 'closed' or (answer = 'dismiss' and closed_at > coalesce(cancelled_at, '-infinity')))
      )
    order by cancelled.reference
    limit ${limit}
  `;
