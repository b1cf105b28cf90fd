import type { CalendarDay } from '../../domain/calendar.js';
import type { OrderAddress } from '../../domain/orderable-patient.js';
import type { PipelineStep } from '../../domain/orchestrator/pipeline.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import type { Queryable, Sql } from '../client.js';
import { claimPlanFill, heldByPlan } from './plan-changes.js';
import { lockSchedule, type RefillSchedule } from './refill-schedules.js';
import { type Claim, claimForRun } from './tasks.js';

export interface RefillClaim extends Claim {
  scheduleId: string;
  /** The day of the check that found the refill due, or the due date that a person's retry found. */
  dueOn?: CalendarDay | undefined;
}

export type ClaimedRefill = Awaited<ReturnType<typeof claimForRun>> & {
  /** Absent unless held. */
  ordered?: { directions: Directions; shipTo: OrderAddress | null };
};
type Directions = Pick<RefillSchedule, 'dosage' | 'quantity' | 'daysSupply'>;

/**
 * The schedule was moved or paused, or its refill skipped, or its gate closed, after the run was started (D119, D126).
 */
export class NotDue extends Error {}

/**
 * Claims a refill with the directions and the address that its schedule has at this moment (D119, D145). The lock of
 * the schedule comes after that of the task, as everywhere.
 * @param today judges the gate of a plan (D126)
 * @throws NotDue, with nothing claimed
 */
export const claimRefill = (
  sql: Sql,
  claim: RefillClaim,
  completedSteps: readonly PipelineStep[],
  today: CalendarDay,
): Promise<ClaimedRefill> =>
  sql.begin(async (sql) => {
    const claimed = await claimForRun(sql, claim, completedSteps);
    if (!claimed.held) return claimed;
    const schedule = await lockSchedule(sql, claim.scheduleId);
    if (!schedule) return claimed;
    const { status, nextFillDate, dosage, quantity, daysSupply } = schedule;
    // A refill that has begun continues, whatever has changed since.
    if (claimed.isOpened) {
      // The schedule may have been cancelled between the claim and its lock.
      if (status === 'cancelled' && claim.isSettled !== true) throw new NotDue();
      if (claim.dueOn !== undefined && (status === 'paused' || nextFillDate > claim.dueOn))
        throw new NotDue();
      const { medication } = claim;
      if (claim.isSettled !== true && !(await claimPlanFill(sql, schedule.id, { medication, today })))
        throw new NotDue();
    }
    const shipTo = claim.isSettled ? await earlierAddress(sql, claim) : schedule.shipTo;
    await sql`
      update orchestrator.run set dosage = ${dosage}, ship_to = ${shipTo && sql.json({ ...shipTo })}
      where id = ${claim.runId}
    `;
    return { ...claimed, ordered: { directions: { dosage, quantity, daysSupply }, shipTo } };
  });

/**
 * Why a failed refill without an order goes to no other pharmacy; undefined if it may. An order that was rejected moves
 * after the end of its schedule too (D105). The caller holds the lock of its task.
 * @param isUnplaced its own run would order it, and could not claim it (D116)
 */
export async function heldRefill(
  sql: Queryable,
  reference: string,
  { isUnplaced, today }: { isUnplaced: boolean; today: CalendarDay },
): Promise<string | undefined> {
  const refill = refillOf(reference);
  if (!refill) return undefined;
  const schedule = await lockSchedule(sql, refill.scheduleId);
  if (isUnplaced && schedule?.status === 'cancelled') return 'Schedule is cancelled';
  return heldByPlan(sql, refill.scheduleId, refill.n, today);
}

/** The address of the run before this one. */
async function earlierAddress(
  sql: Queryable,
  { taskId, workflowId, runId }: RefillClaim,
): Promise<OrderAddress | null> {
  const [earlier] = await sql<{ shipTo: OrderAddress | null }[]>`
    select ship_to from orchestrator.run
    where task_id = ${taskId} and workflow_id = ${workflowId} and id <> ${runId}
    order by created_at desc
    limit 1
  `;
  return earlier?.shipTo ?? null;
}
