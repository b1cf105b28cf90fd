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
import {
  askPlan,
  listClosedGates,
  listPlansToAsk,
  passUnchanged,
} from '../../db/orchestrator/plan-checks.js';
import { announceRefills } from '../../db/orchestrator/refill-notices.js';
import { permanentFailure } from '../calls.js';
import { rest } from '../resting.js';

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
/** Plans that one activity looks at. */
const plansAtOnce = 100;
/** A process has ten connections. */
const asksAtOnce = 4;
/** How long a check rests after a page, as a multiple of its work. */
const restTimes = 2;

export const createRefillCheckActivities = ({
  sql,
  today,
  whenUnpaid,
  noticeDays,
  askDays,
  graceDays,
  timeZone,
}: {
  sql: Sql;
  today: Today;
  /** Decides about due refills of a patient who owes for the schedule (D118). */
  whenUnpaid: 'send' | 'hold';
  /** `REFILL_NOTICE_DAYS`; 0 sends no notices. */
  noticeDays: number;
  /** `CHECK_IN_DAYS`: a plan is asked this many days before its fill (D126). */
  askDays: number;
  /** `CHECK_IN_GRACE_DAYS`: people are asked about a missing check-in this many days after its fill (D127). */
  graceDays: number;
  timeZone: string;
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
   * Asks the plans whose fill is near for the answers that their gates need, once a day (D126, D127). Publishes the
   * notices of refills that are due within `REFILL_NOTICE_DAYS`, once for each refill (D121). Safe to retry: what was
   * looked at is marked in the transaction that asks or publishes. Rests before it asks for more.
   * @param scheduleIds if given, no others (D146)
   * @returns true if there may be more
   */
  async announceRefills(chosen: Chosen): Promise<boolean> {
    const begunAt = performance.now();
    const day = await today();
    const ids = await listPlansToAsk(sql, { ...chosen, today: day, askDays, limit: plansAtOnce });
    const asking = { today: day, timeZone, askDays, graceDays };
    const changed = await passUnchanged(sql, ids, asking);
    for (let at = 0; at < changed.length; at += asksAtOnce)
      await Promise.all(changed.slice(at, at + asksAtOnce).map((id) => askPlan(sql, id, asking)));
    const due = { after: day, until: addDays(day, noticeDays), ...chosen, limit: noticesAtOnce };
    const announced = noticeDays === 0 ? 0 : await announceRefills(sql, due);
    const isMore = ids.length === plansAtOnce || announced === noticesAtOnce;
    if (isMore) await rest(begunAt, restTimes);
    return isMore;
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
    const closed = await listClosedGates(
      sql,
      entries.map(({ schedule }) => schedule.id),
    );
    for (const { position, schedule } of entries) {
      const verdict = judgeRefill(schedule, day, unpaid.has(schedule.id));
      if (verdict.due && closed.has(schedule.id))
        skipped.push({ position, processed: false, reason: 'gate' });
      else if (!verdict.due) skipped.push({ position, processed: false, reason: verdict.reason });
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
