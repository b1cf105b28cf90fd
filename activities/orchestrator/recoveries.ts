import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import {
  endRecovery,
  findRecoverable,
  findRecovery,
  listTurns,
  type Recoverable,
  recordNotice,
  recordRecovered,
} from '../../db/orchestrator/recoveries.js';
import { staticMedication } from '../../domain/orchestrator/medications.js';
import type { RecoveryProgress } from '../../domain/orchestrator/recovery.js';
import { idPart } from '../../platform/crypto/ids.js';

/** A run to be tried again, with what its medication is called and costs today. */
export interface Failed extends Recoverable {
  displayName: string;
  priceCents: number;
  /** The reference as a part of a workflow id. */
  referencePart: string;
}

export const createRecoveryActivities = ({ sql }: { sql: Sql }) => ({
  /** How far a recovery is, and which are next. Safe to retry: it only reads. */
  async readTurns({ recoveryId, size }: { recoveryId: string; size: number }): Promise<{
    progress: RecoveryProgress;
    perMinute: number;
    positions: number[];
  }> {
    const progress = await findRecovery(sql, recoveryId);
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
    const found = await findRecoverable(sql, turn);
    if (!found) return found === null ? 'skip' : 'stop';
    const config = (await findMedicationConfig(sql, found.medication)) ?? staticMedication(found.medication);
    return {
      ...found,
      referencePart: idPart(found.reference),
      displayName: config?.displayName ?? found.medication,
      priceCents: config?.priceCents ?? found.charge?.amountCents ?? 0,
    };
  },

  /** Writes what came of one. Safe to retry: the first word on it stays. */
  async recordRecovered(recovered: Parameters<typeof recordRecovered>[1]): Promise<void> {
    await recordRecovered(sql, recovered);
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
    await endRecovery(sql, recoveryId, state);
  },
});

export type RecoveryActivities = ReturnType<typeof createRecoveryActivities>;
