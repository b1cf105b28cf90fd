import type { Client } from '@temporalio/client';
import { recoveryWorkflowId } from '../workflows/ids.js';
import { startOrJoin } from './runs.js';
import { sweeps } from './priorities.js';

/** Retries the failed runs that an operator chose (D112). A bulk retry has one run, and its starter does not wait. */
export const recoverRuns = (
  temporal: Client,
  { recoveryId, what }: { recoveryId: string; what: string },
  withinMs: number,
) =>
  startOrJoin(
    temporal,
    {
      workflow: 'recoverRuns',
      id: recoveryWorkflowId(recoveryId),
      queue: 'orchestrator',
      args: [recoveryId],
      once: true,
      priority: sweeps,
      summary: `Retry ${what}`,
      details:
        'Retries the failed runs at its pace. A cancel ends it after the open ones; nothing is ordered or charged twice.',
    },
    withinMs,
  );
