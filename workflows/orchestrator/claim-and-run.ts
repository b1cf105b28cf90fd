import { CancellationScope } from '@temporalio/workflow';
import type { TaskActivities } from '../../activities/orchestrator/tasks.js';
import { type PipelineResult, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { ownTransactions } from '../proxies.js';
import { type Order, runPipeline, stepFailed } from './pipeline.js';

const claims = ownTransactions<TaskActivities>();

/**
 * Claims a task, or a refill's reference, and runs its pipeline exactly once (D32).
 * @throws TaskConflict if another request holds it; StepFailed with the recorded result after a failed blocking step
 */
export function claimAndRun(
  claim: Parameters<TaskActivities['claimTask']>[0],
  order: Omit<Order, 'config' | 'placing' | 'shipTo'>,
): Promise<PipelineResult> {
  const cancellable = CancellationScope.current();
  // A run that is cancelled during the claim must still record its end (D33).
  return CancellationScope.nonCancellable(async () => {
    const title = `Claim the task, ${stepTitle('medication_config')}`;
    const claimed = await claims(title).claimTask(claim);
    if ('recorded' in claimed) return claimed.recorded;
    const ended = await runPipeline({ ...order, ...claimed }, cancellable);
    if (ended.result.success) return ended.result;
    throw stepFailed(ended);
  });
}
