import type { Client } from '@temporalio/client';
import { recoveryWorkflowId } from '../workflows/ids.js';
import { startOrJoin, type Outcome } from './runs.js';
import { sweeps } from './priorities.js';

/** Tries again what an operator chose (D112); a recovery has one run, and whoever starts it waits for nothing. */
export const recoverRuns = (
  temporal: Client,
  { recoveryId, what }: { recoveryId: string; what: string },
  withinMs: number,
): Promise<Outcome<unknown>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'recoverRuns',
      id: recoveryWorkflowId(recoveryId),
      queue: 'orchestrator',
      args: [recoveryId],
      once: true,
      priority: sweeps,
      summary: `Recover ${what}`,
      details:
        'Tries again what failed there and then, at its pace. Cancelled, it ends with those under way; nothing is ordered or charged twice.',
    },
    withinMs,
  );
