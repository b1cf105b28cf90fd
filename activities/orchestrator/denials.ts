import { failureTypes } from '../../domain/failures.js';
import type { Sql } from '../../db/client.js';
import {
  claimForDenial,
  type DenialClaim,
  findTask,
  finishDenial,
  heldBecause,
} from '../../db/orchestrator/tasks.js';
import { permanentFailure } from '../calls.js';

export const createDenialActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Claims the task for a denial and records it. Safe to retry: a denial that holds the task claims it again.
   * @returns false when the task was denied before, which gives the same answer
   * @throws TaskConflict when an approval holds it (D32)
   */
  async claimDenial(claim: DenialClaim): Promise<boolean> {
    if (await claimForDenial(sql, claim)) return true;
    const task = await findTask(sql, claim.taskId);
    if (task?.state === 'denied') return false;
    const why = (task && heldBecause(task)) ?? 'Task already approved';
    throw permanentFailure(failureTypes.taskConflict, why);
  },

  /** Allows a later approval. Safe to retry: it writes the same state again. */
  finishDenial: ({ runId }: { runId: string }) => finishDenial(sql, runId),
});

export type DenialActivities = ReturnType<typeof createDenialActivities>;
