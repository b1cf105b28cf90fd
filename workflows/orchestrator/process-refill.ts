import { workflowInfo } from '@temporalio/workflow';
import type { DueRefill } from '../../activities/orchestrator/refill-checks.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { refillReference, refillTaskId } from '../../domain/orchestrator/refills.js';
import type { TaskActivities } from '../../activities/orchestrator/tasks.js';
import { claimAndRun } from './claim-and-run.js';
import type { Order } from './pipeline.js';

type Claim = Parameters<TaskActivities['claimTask']>[0];

/**
 * Runs the n-th refill of a schedule through the pipeline, exactly once. Directions and address are those of the
 * schedule at the claim (D119, D145). A success advances the schedule in the same transaction (D41).
 * @throws StepFailed after a failed blocking step; the schedule is unchanged. NotDue if it was moved, skipped or
 * paused
 */
export function processRefill(
  refill: Omit<DueRefill, 'position'> & Pick<Order, 'requestedBy' | 'settled'> & Pick<Claim, 'isMoved'>,
): Promise<PipelineResult> {
  const { scheduleId, n, medication, emrPatientId, dueOn, requestedBy, settled } = refill;
  const { firstExecutionRunId: runId, workflowId } = workflowInfo();
  const [taskId, reference] = [refillTaskId(scheduleId), refillReference(scheduleId, n)];
  const claim = { kind: 'refill' as const, reference, taskId, runId, workflowId, detailsHash: '' };
  return claimAndRun(
    {
      ...claim,
      medication,
      emrPatientId,
      dueOn,
      requestedBy,
      isMoved: refill.isMoved ?? settled?.isMoved,
      isSettled: settled !== undefined,
    },
    { medication, emrPatientId, requestedBy, settled, taskId, runId, reference, refill: { scheduleId, n } },
  );
}
