import { type RetryStatus, type RetryVerdict, retryPauseSeconds } from '../../domain/intake/intake.js';
import { erasedBody } from '../retention/erasing.js';
import { first, pageAfter, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { publishContact } from './contacts.js';
import { publishPaymentProfile } from './payment-profiles.js';
import { noteIncomplete } from './incomplete-patients.js';
import { openMismatch } from './work-items.js';

/** See page 2, Retry queue entry. */
export interface RetryRecord {
  id: string;
  submissionId: string;
  action: 'create_patient';
  attempts: number;
  lastError: string | null;
  status: RetryStatus;
  createdAt: Date;
  nextRetryAt: Date | null;
}

/** Queues the creation of the EMR patient. Call it in the transaction that stores the submission. */
export async function queueRetry(sql: Queryable, submissionId: string, error: string): Promise<void> {
  await sql`
    insert into intake.retry_queue (submission_id, last_error, next_retry_at)
    values (${submissionId}, ${error}, now() + ${retryPauseSeconds} * interval '1 second')
  `;
}

export const findRetry = (sql: Queryable, submissionId: string) =>
  first(sql<RetryRecord[]>`
    select id, submission_id, action, attempts, last_error, status, created_at, next_retry_at
    from intake.retry_queue
    where submission_id = ${submissionId} and ${isKept(sql)}
  `);

/** An erased intake has nothing to create a patient from. */
const isKept = (sql: Queryable) => sql`exists (
  select from intake.submission where submission.id = submission_id and submission.body <> ${erasedBody}
)`;

/**
 * Links a submission to its EMR patient, with all its consequences; a card saved meanwhile becomes the patient's
 * (D64).
 */
export async function completeRetry(
  sql: Sql,
  { submissionId, emrPatientId }: { submissionId: string; emrPatientId: string },
): Promise<void> {
  await sql.begin(async (sql) => {
    // Update the submission first, like {@link keepCard} does, so that one of them sees the other's change.
    const [placed] = await sql<{ body: string }[]>`
      update intake.submission set emr_patient_id = ${emrPatientId}, status = 'submitted', updated_at = now()
      where id = ${submissionId} and status = 'pending_emr'
      returning body
    `;
    if (!placed) return;
    await sql`
      update intake.retry_queue set status = 'completed', next_retry_at = null
      where submission_id = ${submissionId}
    `;
    await closeWorkItem(sql, 'intake', unplaced(submissionId));
    await openMismatch(sql, { submissionId, emrPatientId });
    await noteIncomplete(sql, { submissionId, emrPatientId }, placed.body);
    await publishContact(sql, submissionId);
    await publishPaymentProfile(sql, submissionId);
  });
}

/** Records a failed attempt; the last one opens a work item (D109). Idempotent. */
export const recordFailedRetry = (
  sql: Sql,
  { submissionId, attempts, error, verdict }: FailedRetry,
): Promise<void> =>
  sql.begin(async (sql) => {
    const nextRetryAt = verdict.status === 'pending' ? new Date(verdict.nextRetryAt) : null;
    const { count } = await sql`
      update intake.retry_queue set
        attempts = ${attempts}, last_error = ${error}, status = ${verdict.status}, next_retry_at = ${nextRetryAt}
      where submission_id = ${submissionId} and status = 'pending' and attempts < ${attempts}
    `;
    if (count > 0 && verdict.status === 'failed') await reportUnplaced(sql, submissionId, 'attempts_used_up');
  });

const reportUnplaced = (sql: Queryable, submissionId: string, reason: string): Promise<void> =>
  openWorkItem(sql, 'intake', {
    ...unplaced(submissionId),
    reason,
    references: { intakeId: submissionId },
    workflowId: `intake:${submissionId}`,
  });

const unplaced = (submissionId: string) => ({ kind: 'intake_unplaced', fact: submissionId }) as const;

export interface FailedRetry {
  submissionId: string;
  /** Including this one. */
  attempts: number;
  error: string;
  verdict: RetryVerdict;
}

/** Cancels the retries of a submission until an operator resets them. */
export const cancelRetry = (sql: Sql, submissionId: string, error: string): Promise<void> =>
  sql.begin(async (sql) => {
    const { count } = await sql`
      update intake.retry_queue set status = 'failed', last_error = ${error}, next_retry_at = null
      where submission_id = ${submissionId} and status = 'pending'
    `;
    if (count > 0) await reportUnplaced(sql, submissionId, 'cancelled');
  });

export interface RetryFilter {
  status?: RetryStatus | undefined;
  /** The id of the last entry on the previous page. */
  after?: string | undefined;
  limit: number;
}

/** Newest first. */
export const listRetries = (sql: Queryable, { status, after, limit }: RetryFilter) =>
  sql<RetryRecord[]>`
    select id, submission_id, action, attempts, last_error, status, created_at, next_retry_at
    from intake.retry_queue
    where true
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${pageAfter(sql, 'intake.retry_queue', after)}
    order by created_at desc, id desc
    limit ${limit}
  `;

/**
 * Makes a failed entry due now, with all attempts available.
 * @returns only the status when it has not failed; undefined when there is none, or its intake is
 * erased
 */
export async function resetRetry(
  sql: Queryable,
  id: string,
): Promise<RetryRecord | { status: Exclude<RetryStatus, 'failed'> } | undefined> {
  const [reset] = await sql<RetryRecord[]>`
    update intake.retry_queue set status = 'pending', attempts = 0, next_retry_at = now()
    where id = ${id} and status = 'failed' and ${isKept(sql)}
    returning id, submission_id, action, attempts, last_error, status, created_at, next_retry_at
  `;
  if (reset) return reset;
  const [other] = await sql<{ status: Exclude<RetryStatus, 'failed'> }[]>`
    select status from intake.retry_queue where id = ${id} and ${isKept(sql)}
  `;
  return other;
}

/** Submissions whose next attempt is overdue: their workflow may be gone. */
export async function listOverdueRetries(
  sql: Queryable,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ submissionId: string }[]>`
    select submission_id
    from intake.retry_queue
    where status = 'pending' and next_retry_at < now() - ${overdueSeconds} * interval '1 second'
    order by next_retry_at
    limit ${limit}
  `;
  return rows.map(({ submissionId }) => submissionId);
}
