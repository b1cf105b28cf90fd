import { orderUnknown } from '../../domain/events.js';
import type { SubmissionOutcome } from '../../domain/router/submission.js';
import { first, type Queryable } from '../client.js';
import { appendToOutbox } from '../outbox.js';
import { closeWorkItem } from '../work-items.js';

/** The work item of an order whose existence is unknown. */
export const unknownOrderFact = (submissionId: string) =>
  ({ kind: 'order_unknown', fact: submissionId }) as const;

/** The outcome of a submission; an accepted order that failed is one that its pharmacy does not have (D138). */
export const currentOutcome = (sql: Queryable) => sql`
  case when outcome = 'accepted' and status = 'failed' then 'missing' else outcome end
`;

/**
 * Requests a look for an accepted order by its reference, since the pharmacy may not have it (D138). Call it in the
 * transaction of the report. A repeat during the look changes nothing.
 * @returns false for an order that is not open at the pharmacy
 */
export async function requestLook(sql: Queryable, submissionId: string): Promise<boolean> {
  const [order] = await sql<{ isUnknown: boolean }[]>`
    select unknown_since is not null as is_unknown
    from router.submission
    where id = ${submissionId} and outcome = 'accepted' and status in ('submitted', 'processing')
    for update
  `;
  if (order?.isUnknown === false) {
    await sql`update router.submission set unknown_since = now() where id = ${submissionId}`;
    await signalLook(sql, submissionId);
  }
  return order !== undefined;
}

/** Ends the look for an order, of which the pharmacy has reported. The caller holds the order's lock. */
export async function endLook(sql: Queryable, submissionId: string): Promise<void> {
  const { count } = await sql`
    update router.submission set unknown_since = null where id = ${submissionId} and unknown_since is not null
  `;
  if (count === 0) return;
  await closeWorkItem(sql, 'router', unknownOrderFact(submissionId));
  await signalLook(sql, submissionId);
}

/** Signals the run that looks for an order. */
export const signalLook = (sql: Queryable, submissionId: string): Promise<void> =>
  appendToOutbox(sql, 'router', { detailType: orderUnknown, aggregateId: submissionId, detail: {} });

/** True if the pharmacy has an order that was looked for; null during the look. */
export async function findLook(sql: Queryable, submissionId: string): Promise<boolean | null> {
  const look = await first(sql<{ outcome: SubmissionOutcome | null; isUnknown: boolean }[]>`
    select ${currentOutcome(sql)} as outcome, unknown_since is not null as is_unknown
    from router.submission where id = ${submissionId}
  `);
  return look?.isUnknown === true ? null : look?.outcome === 'accepted';
}
