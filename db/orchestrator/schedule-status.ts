import type { ScheduleStatus } from '../../domain/orchestrator/refills.js';
import type { Queryable, Sql } from '../client.js';
import type { BusinessDay } from './clock.js';
import { recordEvent } from './events.js';
import { closeFailedRefill } from './failed-refills.js';
import { judgeChangedPlan } from './plan-changes.js';
import { pausedEvent, type RefillSchedule, scheduleColumns } from './refill-schedules.js';

/**
 * Changes the status as an operator asks; call it in a transaction. The work item of a failed refill is closed unless the
 * schedule is active (D116).
 * @returns undefined when the schedule's status does not allow the change
 */
export async function changeStatus(
  sql: Queryable,
  id: string,
  change: {
    from: readonly ScheduleStatus[];
    to: ScheduleStatus;
    day: BusinessDay;
    requestedBy: string;
  },
): Promise<RefillSchedule | undefined> {
  const [schedule] = await sql<RefillSchedule[]>`
    update orchestrator.refill_schedule set
      status = ${change.to}, paused_reason = ${change.to === 'paused' ? 'asked' : null},
      requested_by = ${change.requestedBy}, updated_at = now(),
      next_fill_date = greatest(next_fill_date, ${change.to === 'active' ? change.day.today : null}::date)
    where id = ${id} and status = any(${sql.array([...change.from])})
    returning ${scheduleColumns(sql)}
  `;
  if (schedule && change.to !== 'active') await closeFailedRefill(sql, id);
  if (!schedule) return undefined;
  if (change.to === 'paused') await recordEvent(sql, pausedEvent({ ...schedule, pausedReason: 'asked' }));
  await judgeChangedPlan(sql, id, change.day, { isResumed: change.to === 'active' });
  return schedule;
}

/** Ends the plan and the work items of a schedule that an erasure has cancelled (D94, D129). Idempotent. */
export const endErasedSchedule = (sql: Sql, id: string, day: BusinessDay): Promise<void> =>
  sql.begin(async (sql) => {
    await closeFailedRefill(sql, id);
    await judgeChangedPlan(sql, id, day);
  });
