import { addDays, type CalendarDay } from '../../domain/calendar.js';
import { failureTypes } from '../../domain/failures.js';
import { judgeRefill, nextRefill } from '../../domain/orchestrator/refills.js';
import { isStatementTimeout, type Sql } from '../../db/client.js';
import type { Today } from '../../db/orchestrator/clock.js';
import {
  type CheckOutcome,
  type Chosen,
  listPage,
  listUnpaidSchedules,
  openCheck,
  recordOutcomes,
} from '../../db/orchestrator/refill-checks.js';
import { announceRefills } from '../../db/orchestrator/refill-notices.js';
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

/** Schedules whose notices one activity publishes. */
const noticesAtOnce = 200;

export const createRefillCheckActivities = ({
  sql,
  today,
  whenUnpaid,
  noticeDays,
}: {
  sql: Sql;
  today: Today;
  /** What becomes of due refills of a patient who owes for the schedule (D118). */
  whenUnpaid: 'send' | 'hold';
  /** `REFILL_NOTICE_DAYS`; 0 sends no notices. */
  noticeDays: number;
}) => ({
  /**
   * Stores all active due schedules as the work of this check. Safe to retry: a check stores its work once.
   * @returns their number
   * @throws Unavailable, final, when the statement timed out (D41)
   */
  async listDueSchedules(check: Chosen & { checkId: string }): Promise<number> {
    try {
      return await openCheck(sql, check, await today());
    } catch (error) {
      if (isStatementTimeout(error))
        throw permanentFailure(failureTypes.unavailable, 'The database gave no list');
      throw error;
    }
  },

  /**
   * Publishes the notices of refills that are due within `REFILL_NOTICE_DAYS`, once for each refill (D121). Safe to
   * retry: a refill is marked in the transaction that publishes its notice.
   * @returns true if there may be more
   */
  async announceRefills(chosen: Chosen): Promise<boolean> {
    if (noticeDays === 0) return false;
    const day = await today();
    const announced = await announceRefills(sql, {
      after: day,
      until: addDays(day, noticeDays),
      ...chosen,
      limit: noticesAtOnce,
    });
    return announced === noticesAtOnce;
  },

  /**
   * Checks a page again at its turn, and records the refills to skip (D41). Safe to retry: it leaves out refills with
   * a result, and reads the schedule anew.
   * @returns the refills to run
   */
  async judgePage(page: { checkId: string; after: number; size: number }): Promise<DueRefill[]> {
    const day = await today();
    const due: DueRefill[] = [];
    const skipped: CheckOutcome[] = [];
    const entries = await listPage(sql, page);
    const unpaid =
      whenUnpaid === 'hold'
        ? await listUnpaidSchedules(
            sql,
            entries.map(({ schedule }) => schedule.id),
          )
        : new Set<string>();
    for (const { position, schedule } of entries) {
      const verdict = judgeRefill(schedule, day, unpaid.has(schedule.id));
      if (!verdict.due) skipped.push({ position, processed: false, reason: verdict.reason });
      else due.push({ position, ...nextRefill(schedule), dueOn: day });
    }
    await recordOutcomes(sql, page.checkId, skipped);
    return due;
  },

  /** Records the results of a page. Safe to retry: it writes the same again. */
  recordPage: ({ checkId, outcomes }: { checkId: string; outcomes: CheckOutcome[] }) =>
    recordOutcomes(sql, checkId, outcomes),
});

export type RefillCheckActivities = ReturnType<typeof createRefillCheckActivities>;
