import { failureTypes } from '../../domain/failures.js';
import { judgeRefill } from '../../domain/orchestrator/refills.js';
import { isStatementTimeout, type Sql } from '../../db/client.js';
import {
  type CheckOutcome,
  listPage,
  openCheck,
  recordOutcomes,
} from '../../db/orchestrator/refill-checks.js';
import { businessDay } from '../../platform/business-day.js';
import { permanentFailure } from '../failures.js';

/** A refill to run, as its schedule stands at its turn. */
export interface DueRefill {
  position: number;
  scheduleId: string;
  n: number;
  emrPatientId: string;
  medication: string;
  dosage?: string;
}

export const createRefillCheckActivities = ({ sql, timeZone }: { sql: Sql; timeZone: string }) => ({
  /**
   * Notes all schedules that are active and due as the work of this check. @returns how many there are
   * @throws Unavailable, not to be tried again, when the statement has hung until its time was over (D41)
   *
   * Safe to retry: a check notes its work once.
   */
  async listDueSchedules({ checkId }: { checkId: string }): Promise<number> {
    try {
      return await openCheck(sql, checkId, businessDay(timeZone));
    } catch (error) {
      if (isStatementTimeout(error))
        throw permanentFailure(failureTypes.unavailable, 'The database gave no list');
      throw error;
    }
  },

  /**
   * Judges a page of the check's work again, at its turn, and records those that are to be skipped (D41).
   * @returns the refills to run
   *
   * Safe to retry: what has a result already is left out, and a skip is judged by the schedule as it stands.
   */
  async judgePage(page: { checkId: string; after: number; size: number }): Promise<DueRefill[]> {
    const today = businessDay(timeZone);
    const due: DueRefill[] = [];
    const skipped: CheckOutcome[] = [];
    for (const { position, schedule } of await listPage(sql, page)) {
      const verdict = judgeRefill(schedule, today);
      if (!verdict.due) skipped.push({ position, processed: false, reason: verdict.reason });
      else
        due.push({
          position,
          scheduleId: schedule.id,
          n: schedule.refillsSent + 1,
          emrPatientId: schedule.emrPatientId,
          medication: schedule.medication,
          ...(schedule.dosage === null ? {} : { dosage: schedule.dosage }),
        });
    }
    await recordOutcomes(sql, page.checkId, skipped);
    return due;
  },

  /** Records what became of a page's refills. Safe to retry: it writes the same again. */
  async recordPage({ checkId, outcomes }: { checkId: string; outcomes: CheckOutcome[] }): Promise<void> {
    await recordOutcomes(sql, checkId, outcomes);
  },
});

export type RefillCheckActivities = ReturnType<typeof createRefillCheckActivities>;
