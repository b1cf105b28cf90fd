import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import type { DueRefill } from '../../activities/orchestrator/refill-checks.js';
import type { TaskActivities } from '../../activities/orchestrator/tasks.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { refillReference, refillTaskId } from '../../domain/orchestrator/refills.js';
import { ownTransactions } from '../proxies.js';
import { type Order, runPipeline, stepFailed } from './pipeline.js';

const claims = ownTransactions<TaskActivities>();

/**
 * Sends the n-th refill of a schedule through the pipeline, once however many checks ask for it; when it succeeds the
 * schedule moves on in the same record (D41).
 * @throws StepFailed when a blocking step failed; the schedule is then left as it was
 */
export async function processRefill(
  refill: Omit<DueRefill, 'position'> & Pick<Order, 'requestedBy' | 'settled'>,
): Promise<PipelineResult> {
  const { scheduleId, n, medication, emrPatientId, dosage, requestedBy } = refill;
  const { firstExecutionRunId: runId, workflowId } = workflowInfo();
  const [taskId, reference] = [refillTaskId(scheduleId), refillReference(scheduleId, n)];
  const claim = { kind: 'refill' as const, reference, taskId, runId, workflowId, detailsHash: '' };
  const { recorded } = await CancellationScope.nonCancellable(() =>
    claims('Claim the refill').claimTask({ ...claim, medication, emrPatientId, dosage, requestedBy }),
  );
  if (recorded) return recorded;

  const result = await runPipeline({ ...refill, taskId, runId, reference, refill: { scheduleId, n } });
  if (result.success) return result;
  throw stepFailed(result);
}
