import { first, type Queryable, type Sql } from '../client.js';
import { publishRefundDue } from './refunds.js';

export interface PartRefund {
  /** The payment: a task, or the reference of a refill. */
  reference: string;
  n: number;
  amountCents: number;
  state: 'pending' | 'succeeded' | 'failed';
}

export interface PartRefundRequest {
  reference: string;
  /** undefined: all that is left. */
  amountCents: number | undefined;
  reason: string;
  requestedBy: string;
  /** Identifies the request; equal keys are one refund. */
  requestKey: string;
}

type Claimed =
  | { state: 'claimed'; refund: PartRefund; replayed: boolean }
  | { state: 'nothing' }
  | { state: 'too_much'; leftCents: number };

const columns = (sql: Queryable) => sql`reference, n, amount_cents, state`;

/** The refund of an earlier request with this key. */
export const findRequestedRefund = (sql: Queryable, requestKey: string) =>
  first(sql<(PartRefund & { reason: string | null })[]>`
    select ${columns(sql)}, reason from orchestrator.part_refund where request_key = ${requestKey}
  `);

export const findPartRefund = (sql: Queryable, { reference, n }: Pick<PartRefund, 'reference' | 'n'>) =>
  first(sql<(PartRefund & { refundedCents: number })[]>`
    select part.reference, n, part.amount_cents, state, refunded_cents
    from orchestrator.part_refund part
    join orchestrator.payment on payment.task_id = part.reference
    where part.reference = ${reference} and n = ${n}
  `);

/**
 * Claims a refund of a charge, at most of what is neither refunded nor claimed (D135). The row of the payment is the
 * lock, and the event that starts the refund is published with the claim. An equal request that is open is joined.
 * A request for all that is left joins only if nothing is.
 * A cancelled task has nothing left: its cancellation refunds the rest.
 */
export const claimPartRefund = (sql: Sql, asked: PartRefundRequest): Promise<Claimed> =>
  sql.begin(async (sql): Promise<Claimed> => {
    const { reference, reason, requestedBy, requestKey } = asked;
    // A statement of its own, so that the next one sees what the last holder of the lock has claimed.
    await sql`select from orchestrator.payment where task_id = ${reference} for update`;
    const [payment] = await sql<{ leftCents: number; isOpen: boolean; runId: string }[]>`
      select amount_cents - refunded_cents - coalesce((
          select sum(part.amount_cents) from orchestrator.part_refund part
          where part.reference = ${reference} and part.state = 'pending'
        ), 0)::int as left_cents,
        payment.status = 'succeeded' and cancelled_at is null as is_open, run_id
      from orchestrator.payment
      join orchestrator.task using (task_id)
      where payment.task_id = ${reference}
    `;
    const isTheRest = asked.amountCents === undefined && (payment?.leftCents ?? 0) <= 0;
    const [open] = await sql<PartRefund[]>`
      select ${columns(sql)} from orchestrator.part_refund
      where request_key = ${requestKey} or (
        reference = ${reference} and state = 'pending' and reason = ${reason} and requested_by = ${requestedBy}
        and (amount_cents = ${asked.amountCents ?? null} or ${isTheRest})
        and request_key not like 'key:%' and ${requestKey} not like 'key:%'
      )
      order by n desc
      limit 1
    `;
    if (open) return { state: 'claimed', refund: open, replayed: true };
    if (payment?.isOpen !== true || payment.leftCents <= 0) return { state: 'nothing' };
    const { leftCents, runId } = payment;
    const amountCents = asked.amountCents ?? leftCents;
    if (amountCents > leftCents) return { state: 'too_much', leftCents };
    const [refund] = await sql<[PartRefund]>`
      insert into orchestrator.part_refund (reference, run_id, n, amount_cents, reason, requested_by, request_key)
      select ${reference}, ${runId}, coalesce(max(n), 0) + 1, ${amountCents}, ${reason}, ${requestedBy}, ${requestKey}
      from orchestrator.part_refund where reference = ${reference}
      returning ${columns(sql)}
    `;
    await publishRefundDue(sql, reference);
    return { state: 'claimed', refund, replayed: false };
  });
