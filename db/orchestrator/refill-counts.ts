import { afterRefill } from '../../domain/orchestrator/refills.js';
import type { Queryable } from '../client.js';
import type { BusinessDay } from './clock.js';
import { countPlanFill } from './plan-changes.js';
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
