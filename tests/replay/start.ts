import { type Client, ServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { Case } from './cases.js';

const unasked = async (): Promise<unknown> => undefined;

/** Starts a run of a case as its callers do. `answer` is that of the update it is started with. */
export async function start(
  client: Client,
  workflowType: string,
  options: { workflowId: string; taskQueue: string; workflowTaskTimeout?: Duration },
  { args, startedBy }: Case,
) {
  const all = { ...options, args };
  if (startedBy === undefined) {
    const handle = await client.workflow.start(workflowType, all);
    return { handle, runId: handle.firstExecutionRunId, answer: unasked };
  }
  if ('update' in startedBy) {
    const begin = async (triesLeft = 5) => {
      const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, {
        ...all,
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      try {
        const update = await client.workflow.startUpdateWithStart(startedBy.update, {
          args: startedBy.args,
          updateId: startedBy.update,
          waitForStage: 'ACCEPTED',
          startWorkflowOperation,
        });
        return { update, startWorkflowOperation };
      } catch (error) {
        // The time-skipping server gives up an update that a starved worker has not taken yet.
        if (!(error instanceof ServiceError) || triesLeft === 0) throw error;
        return begin(triesLeft - 1);
      }
    };
    const { update, startWorkflowOperation } = await begin();
    const handle = await startWorkflowOperation.workflowHandle();
    const { runId } = await handle.describe();
    return { handle, runId, answer: () => update.result() };
  }
  const { signal, args: signalArgs } = startedBy;
  const handle = await client.workflow.signalWithStart(workflowType, { ...all, signal, signalArgs });
  return { handle, runId: handle.signaledRunId, answer: unasked };
}
