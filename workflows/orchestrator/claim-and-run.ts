import { CancellationScope } from '@temporalio/workflow';
import type { TaskActivities } from '../../activities/orchestrator/tasks.js';
import { type PipelineResult, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { ownTransactions } from '../proxies.js';
import { type Order, runPipeline, stepFailed } from './pipeline.js';

const claims = ownTransactions<TaskActivities>();

/**
 * Claims a task, or a refill's reference, and carries its order through, once however often it is asked for (D32).
 * @throws TaskConflict when it is held otherwise; StepFailed with the recorded result when a blocking step failed, so
 * that the run is red
 */
export function claimAndRun(
  claim: Parameters<TaskActivities['claimTask']>[0],
  order: Omit<Order, 'config' | 'placing'>,
): Promise<PipelineResult> {
  const cancellable = CancellationScope.current();
  // A run that is cancelled while it claims must still have its record, and its end (D33).
  return CancellationScope.nonCancellable(async () => {
    const title = `Claim the task, ${stepTitle('medication_config')}`;
    const claimed = await claims(title).claimTask(claim);
    if ('recorded' in claimed) return claimed.recorded;
    const { config, placing } = claimed;
    const result = await runPipeline({ ...order, placing, config }, cancellable);
    if (result.success) return result;
    throw stepFailed(result);
  });
}
