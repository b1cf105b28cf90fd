import type { Client } from '@temporalio/client';
import { syncWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import type { syncToEmr } from '../workflows/bridge/sync-to-emr.js';

/** Tells the run of a sync attempt to look at its row again, and starts it where there is none. */
export async function startSync(temporal: Client, syncAttemptId: string): Promise<void> {
  await temporal.workflow.signalWithStart<typeof syncToEmr>('syncToEmr', {
    workflowId: syncWorkflowId(syncAttemptId),
    taskQueue: taskQueues.bridge,
    args: [syncAttemptId],
    signal: 'nudge',
    signalArgs: [],
    staticSummary: `Bring sync attempt ${syncAttemptId} to the EMR`,
    staticDetails:
      'Tries until it has succeeded or was refused, for at most 24 h; waits as long as the EMR asks.',
  });
}
