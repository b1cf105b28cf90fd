import type { Client } from '@temporalio/client';
import { syncWorkflowId } from '../workflows/ids.js';
import { signalRecheck } from './runs.js';

/** Tells the run of a sync attempt to look at its row again. */
export const recheckSync = (temporal: Client, syncAttemptId: string): Promise<void> =>
  signalRecheck(temporal, {
    workflow: 'syncToEmr',
    id: syncWorkflowId(syncAttemptId),
    queue: 'bridge',
    args: [syncAttemptId],
    summary: `Bring sync attempt ${syncAttemptId} to the EMR`,
    details: 'Tries until it has succeeded or was refused, for at most 24 h; waits as long as the EMR asks.',
  });
