import type { CalendarDay } from '../../domain/calendar.js';
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
import { permanentFailure } from '../calls.js';

/** A refill to run, by the schedule at its turn. */
export interface DueRefill {
  position: number;
  scheduleId: string;
  n: number;
  emrPatientId: string;
  medication: string;
  /** The day on which the check found it due. */
  dueOn?: CalendarDay;
}

export const createRefillCheckActivities = ({ sql, timeZone }: { sql: Sql; timeZone: string }) => ({
  /**
   * Stores all active due schedules as the work of this check. Safe to retry: a check stores its work once.
   * @returns their number
   * @throws Unavailable, final, when the statement timed out (D41)
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
   * Checks a page again at its turn, and records the refills to skip (D41). Safe to retry: it leaves out refills with
   * a result, and reads the schedule anew.
   * @returns the refills to run
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
          dueOn: today,
        });
    }
    await recordOutcomes(sql, page.checkId, skipped);
    return due;
  },

  /** Records the results of a page. Safe to retry: it writes the same again. */
  recordPage: ({ checkId, outcomes }: { checkId: string; outcomes: CheckOutcome[] }) =>
    recordOutcomes(sql, checkId, outcomes),
});

export type RefillCheckActivities = ReturnType<typeof createRefillCheckActivities>;
