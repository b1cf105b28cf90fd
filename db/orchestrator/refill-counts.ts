import { afterRefill, refillOf } from '../../domain/orchestrator/refills.js';
import type { Queryable } from '../client.js';
import type { BusinessDay } from './clock.js';
import { countPlanFill, judgeChangedPlan } from './plan-changes.js';
import { advanceSchedule, type RefillSchedule } from './refill-schedules.js';

/** Counts the n-th refill of a schedule, or the n-th fill of its plan, once. @returns whether it counted now */
export const countRefill = async (
  sql: Queryable,
  schedule: RefillSchedule,
  n: number,
  day: BusinessDay,
): Promise<boolean> =>
  (await countPlanFill(sql, schedule.id, n, day)) ??
  advanceSchedule(sql, schedule.id, afterRefill(schedule, n, day.today));

/**
 * Judges the gate of a plan after a fill of it was not sent: nothing was asked while it was under way (D126). The daily
 * check sends the fill again, so this does not.
 * @param reference of a task; one that is no refill changes nothing
 */
export async function judgeUnsent(sql: Queryable, reference: string, day: BusinessDay): Promise<void> {
  const refill = refillOf(reference);
  if (refill) await judgeChangedPlan(sql, refill.scheduleId, day, { mayBeDue: false });
}
