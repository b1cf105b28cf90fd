import type { deliverCallbacks } from '../workflows/router/deliver-callbacks.js';
import { callbacksWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import { rxSubmission } from '../workflows/search-attributes.js';
import type { WorkerContext } from '../workers/context.js';

/** Tells the run that delivers a submission's callbacks to look again, and starts it where there is none. */
export async function nudgeCallbacks(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  submissionId: string,
): Promise<void> {
  await temporal.workflow.signalWithStart<typeof deliverCallbacks>('deliverCallbacks', {
    workflowId: callbacksWorkflowId(submissionId),
    taskQueue: taskQueues.callbacks,
    args: [submissionId],
    signal: 'nudge',
    signalArgs: [],
    typedSearchAttributes: [{ key: rxSubmission, value: submissionId }],
    staticSummary: `Callbacks of submission ${submissionId}`,
    staticDetails: 'Delivers them in order, each until it has arrived, for at most 72 h.',
  });
}
