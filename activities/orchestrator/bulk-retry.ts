import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import {
  endBulkRetry,
  findRetryableRun,
  findBulkRetry,
  listTurns,
  type RetryableRun,
  recordNotice,
  recordRetriedRun,
} from '../../db/orchestrator/bulk-retries.js';
import type { BulkRetryProgress } from '../../domain/orchestrator/bulk-retry.js';
import { idPart } from '../../platform/crypto/ids.js';

/** A run to be tried again, with what its medication is called and costs today. */
export interface Failed extends RetryableRun {
  displayName: string;
  priceCents: number;
  /** The reference as a part of a workflow id. */
  referencePart: string;
}

export const createBulkRetryActivities = ({ sql }: { sql: Sql }) => ({
  /** How far a recovery is, and which are next. Safe to retry: it only reads. */
  async readTurns({ recoveryId, size }: { recoveryId: string; size: number }): Promise<{
    progress: BulkRetryProgress;
    perMinute: number;
    positions: number[];
  }> {
    const progress = await findBulkRetry(sql, recoveryId);
    if (!progress) throw new Error('The recovery is not there');
    return { progress, ...(await listTurns(sql, recoveryId, size)) };
  },

  /**
   * Looks at a run when its turn has come (D112).
   * @returns `skip` for what was approved, denied, cancelled or done since; `stop` once the recovery has ended
   *
   * Safe to retry: it only reads.
   */
  async readFailed(turn: { recoveryId: string; position: number }): Promise<Failed | 'skip' | 'stop'> {
    const found = await findRetryableRun(sql, turn);
    if (!found) return found === null ? 'skip' : 'stop';
    const config = await findMedicationConfig(sql, found.medication);
    return {
      ...found,
      referencePart: idPart(found.reference),
      displayName: config?.displayName ?? found.medication,
      priceCents: config?.priceCents ?? found.charge?.amountCents ?? 0,
    };
  },

  /** Writes what came of one. Safe to retry: the first word on it stays. */
  async recordRecovered(recovered: Parameters<typeof recordRetriedRun>[1]): Promise<void> {
    await recordRetriedRun(sql, recovered);
  },

  /** Writes whether the patient was told. Safe to retry: a try is counted once. */
  async recordNotice(notice: Parameters<typeof recordNotice>[1]): Promise<void> {
    await recordNotice(sql, notice);
  },

  /** Ends a recovery. Safe to retry: one that has ended stays as it is. */
  async endRecovery({
    recoveryId,
    state,
  }: {
    recoveryId: string;
    state: 'completed' | 'cancelled';
  }): Promise<void> {
    await endBulkRetry(sql, recoveryId, state);
  },
});

export type BulkRetryActivities = ReturnType<typeof createBulkRetryActivities>;
