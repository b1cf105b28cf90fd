import { type Cancellation, cancellationVerdict } from '../../domain/router/cancellations.js';
import { taskReferences } from '../../domain/router/submission.js';
import { isOwn } from './own-orders.js';
import { cancellationPending } from '../../domain/events.js';
import type { DenialReason } from '../../domain/router/pharmacy-words.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { SubmissionOutcome, SubmissionStatus } from '../../domain/router/submission.js';
import { first, type Queryable, type Sql } from '../client.js';
import { appendToOutbox } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { reportOpenHolds } from './holds.js';
import { currentOutcome } from './looks.js';

const columns = (sql: Queryable) => sql`state, reason, request_reason, requested_at, answered_at`;

export async function findCancellation(sql: Queryable, submissionId: string): Promise<Cancellation | null> {
  const [cancellation] = await sql<Cancellation[]>`
    select ${columns(sql)} from router.cancellation where submission_id = ${submissionId}
  `;
  return cancellation ?? null;
}

/**
 * Requests a cancellation (D101). A pending or approved one stays; after a denial this is a new request. An order
 * that is cancelled or delivered gets its answer without asking the pharmacy.
 * @returns undefined when the pharmacy rejected the order
 */
export const requestCancellation = (
  sql: Sql,
  { submissionId, requestReason }: { submissionId: string; requestReason: string | null },
): Promise<Cancellation | undefined> =>
  sql.begin(async (sql) => {
    const [submission] = await sql<{ status: SubmissionStatus; outcome: SubmissionOutcome | null }[]>`
      select status, ${currentOutcome(sql)} as outcome from router.submission where id = ${submissionId} for update
    `;
    const held = await findCancellation(sql, submissionId);
    if (held?.state === 'approved') return held;
    if (held?.state === 'pending') {
      // A run that waits for the answer to its work item asks the pharmacy once more.
      await signalRun(sql, submissionId);
      return held;
    }
    if (!submission || submission.outcome === 'rejected') return undefined;
    const { state, reason } = cancellationVerdict(submission.status) ?? { state: 'pending', reason: null };
    const [cancellation] = await sql<Cancellation[]>`
      insert into router.cancellation as held (submission_id, state, reason, request_reason, answered_at)
      values (
        ${submissionId}, ${state}, ${reason}, ${requestReason},
        ${state === 'pending' ? sql`null` : sql`now()`}
      )
      on conflict (submission_id) do update set
        number = held.number + 1, state = excluded.state, reason = excluded.reason,
        request_reason = excluded.request_reason, requested_at = now(), answered_at = excluded.answered_at,
        shipped_meanwhile = false
      returning ${columns(sql)}
    `;
    if (state === 'pending') await signalRun(sql, submissionId);
    return cancellation;
  });

export interface PendingCancellation {
  number: number;
  requestReason: string | null;
  requestedAt: Date;
  /** The pharmacy reported `shipped` after the request. */
  shippedMeanwhile: boolean;
  pharmacy: Pharmacy;
  isTest: boolean;
  /** null while the order is being placed. */
  outcome: SubmissionOutcome | null;
  pharmacyOrderId: string | null;
  /** The claim whose outcome this is. */
  claimId: string;
}

export const findPendingCancellation = (sql: Queryable, submissionId: string) =>
  first(sql<PendingCancellation[]>`
    select number, request_reason, requested_at, shipped_meanwhile, pharmacy, is_test,
      ${currentOutcome(sql)} as outcome, pharmacy_order_id, claim_id
    from router.cancellation
    join router.submission on submission.id = cancellation.submission_id
    where submission_id = ${submissionId} and state = 'pending'
  `);

/**
 * Records the answer to a pending cancellation and closes its work item. Idempotent; the caller holds the
 * submission's lock.
 * @param number of the answered request; omit it for any
 * @returns false when none was pending
 */
export async function closeCancellation(
  sql: Queryable,
  submissionId: string,
  verdict: { state: 'approved' | 'denied'; reason: DenialReason | null },
  number?: number,
): Promise<boolean> {
  const { count } = await sql`
    update router.cancellation set state = ${verdict.state}, reason = ${verdict.reason}, answered_at = now()
    where submission_id = ${submissionId} and state = 'pending'
      ${number === undefined ? sql`` : sql`and number = ${number}`}
  `;
  if (count === 0) return false;
  await closeWorkItem(sql, 'router', { kind: 'cancellation_unanswered', fact: submissionId });
  if (verdict.state === 'denied') await reportOpenHolds(sql, submissionId);
  return true;
}

const noOrder = { state: 'denied', reason: 'not_found' } as const;

/** Answers a pending cancellation from the order's new status (D101); `failed`: there is no order (D138). */
export async function noteProgress(
  sql: Queryable,
  submissionId: string,
  status: SubmissionStatus,
): Promise<void> {
  const verdict = status === 'failed' ? noOrder : cancellationVerdict(status);
  if (verdict) {
    if (await closeCancellation(sql, submissionId, verdict)) await signalRun(sql, submissionId);
    return;
  }
  if (status !== 'shipped') return;
  // The run asks the pharmacy first, and then decides.
  const { count } = await sql`
    update router.cancellation set shipped_meanwhile = true
    where submission_id = ${submissionId} and state = 'pending'
  `;
  if (count > 0) await signalRun(sql, submissionId);
}

/**
 * Opens a work item for a cancellation that the pharmacy does not answer (D109), unless it was answered meanwhile.
 */
export const reportUnanswered = (
  sql: Sql,
  { submissionId, number, workflowId }: { submissionId: string; number: number; workflowId: string },
): Promise<void> =>
  sql.begin(async (sql) => {
    const [pending] = await sql<{ source: string; sourceOrderId: string; isOwn: boolean }[]>`
      select source, source_order_id, ${isOwn(sql)}
      from router.cancellation
      join router.submission on submission.id = cancellation.submission_id
      where submission_id = ${submissionId} and state = 'pending' and number = ${number}
      for update
    `;
    if (!pending) return;
    await openWorkItem(sql, 'router', {
      kind: 'cancellation_unanswered',
      fact: submissionId,
      reason: 'pharmacy_silent',
      references: {
        submissionId,
        ...taskReferences(pending),
      },
      workflowId,
    });
  });

/** Cancellations pending for longer than `olderThanSeconds`, oldest first: their runs may be gone. */
export async function listPendingCancellations(sql: Queryable, olderThanSeconds: number): Promise<string[]> {
  const rows = await sql<{ submissionId: string }[]>`
    select submission_id
    from router.cancellation
    where state = 'pending' and requested_at < now() - ${olderThanSeconds} * interval '1 second'
    order by requested_at
    limit 500
  `;
  return rows.map(({ submissionId }) => submissionId);
}

const signalRun = (sql: Queryable, submissionId: string): Promise<void> =>
  appendToOutbox(sql, 'router', {
    detailType: cancellationPending,
    aggregateId: submissionId,
    detail: {},
  });
