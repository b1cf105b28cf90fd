import type { Sql } from '../../db/client.js';
import type { Today } from '../../db/orchestrator/clock.js';
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
import type { CalendarDay } from '../../domain/calendar.js';
import type { BulkRetryProgress, RefillRules } from '../../domain/orchestrator/bulk-retry.js';
import { idPart } from '../../platform/crypto/ids.js';

/** A run to retry, with today's name and price of its medication. */
export interface Failed extends RetryableRun {
  displayName: string;
  priceCents: number;
  /** The reference as a part of a workflow id. */
  referencePart: string;
  /** The day on which its refill, if it is one, was found due. */
  dueOn: CalendarDay;
}

export const createBulkRetryActivities = ({
  sql,
  today,
  whenUnpaid,
}: {
  sql: Sql;
  today: Today;
  whenUnpaid: RefillRules['whenUnpaid'];
}) => ({
  /** Reads the progress of a bulk retry and its next positions. Safe to retry: it only reads. */
  async readTurns({ recoveryId, size }: { recoveryId: string; size: number }): Promise<{
    progress: BulkRetryProgress;
    perMinute: number;
    positions: number[];
  }> {
    const progress = await findBulkRetry(sql, recoveryId);
    if (!progress) throw new Error('The bulk retry does not exist');
    return { progress, ...(await listTurns(sql, recoveryId, size)) };
  },

  /**
   * Reads a run at its turn (D112). Safe to retry: it only reads.
   * @returns `skip` if it was approved, denied, cancelled or completed since, or is a refill that is not due; `stop`
   * once the bulk retry has ended
   */
  async readFailed(turn: { recoveryId: string; position: number }): Promise<Failed | 'skip' | 'stop'> {
    const dueOn = await today();
    const found = await findRetryableRun(sql, turn, { today: dueOn, whenUnpaid });
    if (!found) return found === null ? 'skip' : 'stop';
    const config = await findMedicationConfig(sql, found.medication);
    return {
      ...found,
      referencePart: idPart(found.reference),
      dueOn,
      displayName: config?.displayName ?? found.medication,
      priceCents: config?.priceCents ?? found.charge?.amountCents ?? 0,
    };
  },

  /** Records the result of one run. Safe to retry: the first result stays. */
  recordRecovered: (recovered: Parameters<typeof recordRetriedRun>[1]) => recordRetriedRun(sql, recovered),

  /** Records whether the patient was notified. Safe to retry: an attempt counts once. */
  recordNotice: (notice: Parameters<typeof recordNotice>[1]) => recordNotice(sql, notice),

  /** Ends a bulk retry. Safe to retry: an ended one stays as it is. */
  endRecovery: ({ recoveryId, state }: { recoveryId: string; state: 'completed' | 'cancelled' }) =>
    endBulkRetry(sql, recoveryId, state),
});

export type BulkRetryActivities = ReturnType<typeof createBulkRetryActivities>;
