import type { Client } from '@temporalio/client';
import { syncWorkflowId } from '../workflows/ids.js';
import { signalRecheck } from './runs.js';

/** Signals the run of a sync attempt to check its row, and starts it if there is none. */
export const recheckSync = (temporal: Client, syncAttemptId: string) =>
  signalRecheck(temporal, {
    workflow: 'syncToEmr',
    id: syncWorkflowId(syncAttemptId),
    queue: 'bridge',
    args: [syncAttemptId],
    summary: `Sync attempt ${syncAttemptId} to the EMR`,
    details: 'Retries until the EMR accepts or rejects it, for at most 24 h; waits as long as the EMR asks.',
  });
