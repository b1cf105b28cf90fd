import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import { first, type Queryable, type Sql } from '../client.js';
import type { RetryableRun } from './bulk-retries.js';
import { recordEvent } from './events.js';
import { reportFailedApproval } from './tasks.js';

/** A failed run whose order may exist (D21), with the data to resume it (D114). */
export type UnknownOrderRun = Omit<
  RetryableRun,
  'step' | 'requestedBy' | 'order' | 'charge' | 'noticeAttempt'
> & {
  requestedBy: string | null;
  result: PipelineResult | null;
};

/** The failed run that holds the task; undefined when none does or another run has claimed the task. */
export const findUnknownOrderRun = (sql: Queryable, submissionId: string) =>
  first(sql<UnknownOrderRun[]>`
    select task.task_id as reference, task.kind, task.details_hash, run.id as run_id, run.task_id, run.workflow_id,
      run.medication, run.emr_patient_id, run.dosage, run.requested_by, run.result
    from orchestrator.run run
    join orchestrator.task task on task.run_id = run.id
    where run.unknown_submission_id = ${submissionId} and task.state = 'failed' and task.cancelled_at is null
  `);

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
  });
}
