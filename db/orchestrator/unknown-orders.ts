import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import { jsonHash } from '../../platform/crypto/ids.js';
import { first, type Queryable, type Sql } from '../client.js';
import type { RetryableRun } from './bulk-retries.js';
import type { BusinessDay } from './clock.js';
import { recordEvent } from './events.js';
import { judgeUnsent } from './refill-counts.js';
import { reportFailedApproval } from './tasks.js';

/** A failed run whose order may exist (D21), with the data to resume it (D114). */
export type UnknownOrderRun = Omit<
  RetryableRun,
  'step' | 'requestedBy' | 'detailsHash' | 'order' | 'charge' | 'noticeAttempt'
> & {
  requestedBy: string | null;
  result: PipelineResult | null;
};

/**
 * The run that placed the order, while a failed run holds its task; undefined when none does or another run has claimed
 * the task. A later run may hold the submission too, and may have other details.
 */
export const findUnknownOrderRun = (sql: Queryable, submissionId: string) =>
  first(sql<UnknownOrderRun[]>`
    select task.task_id as reference, task.kind, placed.id as run_id, placed.task_id, placed.workflow_id,
      placed.medication, placed.emr_patient_id, placed.dosage, placed.requested_by, placed.result
    from orchestrator.run held
    join orchestrator.task task on task.run_id = held.id
    join orchestrator.run placed on placed.unknown_submission_id = held.unknown_submission_id
    where held.unknown_submission_id = ${submissionId} and task.state = 'failed' and task.cancelled_at is null
    order by placed.created_at
    limit 1
  `);

/** Selects the run that placed the order of a run: the first that holds the same unknown order, else that run. */
export const placedBy = (sql: Queryable, runId: string) => sql`
  coalesce((
    select placed.id from orchestrator.run held
    join orchestrator.run placed on placed.unknown_submission_id = held.unknown_submission_id
    where held.id = ${runId}
    order by placed.created_at
    limit 1
  ), ${runId})
`;

/**
 * The reference of a failed task whose order only the router knows. Its step 4 may have ended without an answer, or an
 * operator may have terminated a run during it. undefined if no run came so far.
 */
export async function findDoubtfulReference(sql: Queryable, taskId: string): Promise<string | undefined> {
  const [doubtful] = await sql<{ reference: string }[]>`
    select ref.reference
    from orchestrator.task
    join orchestrator.order_reference ref on ref.task_id = task.task_id and ref.state = 'live'
    where task.task_id = ${taskId} and task.state = 'failed' and exists (
      select from orchestrator.run
      where run.task_id = task.task_id and status = 'failed'
        and (failed_step is null or failed_step = 'pharmacy_submission')
    )
  `;
  return doubtful?.reference;
}

/**
 * Records an order of unknown outcome. An earlier run sent it and did not record it, because it was terminated or had no
 * answer of the router. The newest run that may have sent it gets the record, and the run that was told of it.
 */
export async function holdEarlierOrder(sql: Queryable, runId: string, submissionId: string): Promise<void> {
  await sql`
    update orchestrator.run held set unknown_submission_id = ${submissionId}, updated_at = now()
    from orchestrator.run told
    where told.id = ${runId} and told.unknown_submission_id is null and held.id = any(array[told.id, (
      select earlier.id from orchestrator.run earlier
      where earlier.task_id = told.task_id and earlier.workflow_id = told.workflow_id
        and earlier.created_at < told.created_at and earlier.status = 'failed'
        and (earlier.failed_step is null or earlier.failed_step = 'pharmacy_submission')
      order by earlier.created_at desc
      limit 1
    )])
  `;
}

/** Of an approval's details, which a repeat shares (D32). */
export const detailsHashOf = ({
  medication,
  emrPatientId,
  dosage,
}: Pick<UnknownOrderRun, 'medication' | 'emrPatientId' | 'dosage'>) =>
  jsonHash({ medication, emrPatientId, dosage: dosage ?? undefined });

/** Forgets an order that turned out not to exist, or that its pharmacy canceled. */
export const forgetUnknownOrder = (sql: Queryable, submissionId: string) => sql`
  update orchestrator.run set unknown_submission_id = null, updated_at = now()
  where unknown_submission_id = ${submissionId}
`;

/** Records that the order of a failed run does not exist (D114), and opens a work item. */
export async function recordNoOrder(
  sql: Sql,
  { runId, workflowId, taskId, reference }: UnknownOrderRun,
  submissionId: string,
  day: BusinessDay,
): Promise<void> {
  await sql.begin(async (sql) => {
    const { count } = await forgetUnknownOrder(sql, submissionId);
    if (count === 0) return;
    await recordEvent(sql, {
      type: 'order.rejected',
      taskId: reference,
      fact: `order.rejected ${submissionId}`,
      data: { submissionId, pharmacy: null, reference, code: 'order_rejected' },
    });
    const reason = refillOf(reference) ? 'pharmacy_submission' : 'order_rejected';
    await reportFailedApproval(sql, {
      runId,
      workflowId,
      taskId,
      reference,
      reason,
      canReroute: true,
      submissionId,
    });
    await judgeUnsent(sql, reference, day);
  });
}
