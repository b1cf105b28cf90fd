import { failureTypes } from '../../domain/failures.js';
import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import type { Sql } from '../../db/client.js';
import { claimForDenial, type DenialClaim, findTask, finishDenial } from '../../db/orchestrator/tasks.js';
import { permanentFailure } from '../failures.js';

export const createDenialActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Claims the task for a denial and records it.
   * @returns false when the task was denied before, which is the same answer
   * @throws TaskConflict when an approval holds it (D32)
   *
   * Safe to retry: a denial that already holds the task claims it again.
   */
  async claimDenial(claim: DenialClaim): Promise<boolean> {
    if (await claimForDenial(sql, claim)) return true;
    const task = await findTask(sql, claim.taskId);
    if (task?.state === 'denied') return false;
    const why = (task && heldBecause(task)) ?? 'Task already approved';
    throw permanentFailure(failureTypes.taskConflict, why);
  },

  /** Lets a later approval through. Safe to retry: it writes the same state again. */
  async finishDenial({ runId }: { runId: string }): Promise<void> {
    await finishDenial(sql, runId);
  },
});

export type DenialActivities = ReturnType<typeof createDenialActivities>;
