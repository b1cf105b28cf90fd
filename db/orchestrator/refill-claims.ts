import type { CalendarDay } from '../../domain/calendar.js';
import type { OrderAddress } from '../../domain/orderable-patient.js';
import type { PipelineStep } from '../../domain/orchestrator/pipeline.js';
import { refillReference } from '../../domain/orchestrator/refills.js';
import type { Queryable, Sql } from '../client.js';
import { lockSchedule, type RefillSchedule } from './refill-schedules.js';
import { type Claim, claimForRun } from './tasks.js';

export interface RefillClaim extends Claim {
  scheduleId: string;
  /** The day of the check that found the refill due. */
  dueOn?: CalendarDay | undefined;
  /** The order of an earlier run exists (D114, D105): it goes where that run sent it. */
  isSettled?: boolean | undefined;
}

export type ClaimedRefill = Awaited<ReturnType<typeof claimForRun>> & {
  /** Absent unless held. */
  ordered?: { directions: Directions; shipTo: OrderAddress | null };
};
type Directions = Pick<RefillSchedule, 'dosage' | 'quantity' | 'daysSupply'>;

/** The schedule was moved, or its refill skipped, after the check found it due (D119). */
export class NotDue extends Error {}

/**
 * Claims a refill with the directions and the address that its schedule has at this moment (D119, D145). The lock of
 * the schedule comes after that of the task, as everywhere.
 * @throws NotDue, with nothing claimed
 */
export const claimRefill = (
  sql: Sql,
  claim: RefillClaim,
  completedSteps: readonly PipelineStep[],
): Promise<ClaimedRefill> =>
  sql.begin(async (sql) => {
    const claimed = await claimForRun(sql, claim, completedSteps);
    if (!claimed.held) return claimed;
    const schedule = await lockSchedule(sql, claim.scheduleId);
    if (!schedule) return claimed;
    const { nextFillDate, dosage, quantity, daysSupply } = schedule;
    if (claim.dueOn !== undefined && nextFillDate > claim.dueOn) throw new NotDue();
    const shipTo = claim.isSettled ? await earlierAddress(sql, claim) : schedule.shipTo;
    await sql`
      update orchestrator.run set dosage = ${dosage}, ship_to = ${shipTo && sql.json({ ...shipTo })}
      where id = ${claim.runId}
    `;
    return { ...claimed, ordered: { directions: { dosage, quantity, daysSupply }, shipTo } };
  });

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

/**
 * A refill of the schedule runs, or has an order of unknown outcome. The caller holds the lock of the schedule, so
 * none begins before its transaction ends.
 */
export async function isRefillUnderWay(
  sql: Queryable,
  { id, refillsSent }: Pick<RefillSchedule, 'id' | 'refillsSent'>,
): Promise<boolean> {
  const references = [refillsSent, refillsSent + 1].map((n) => refillReference(id, n));
  const rows = await sql`
    select from orchestrator.task
    join orchestrator.run run on run.id = task.run_id
    where task.task_id = any(${references}) and task.cancelled_at is null and (
      task.state = 'running' or (task.state = 'failed' and run.unknown_submission_id is not null)
    )
  `;
  return rows.length > 0;
}
