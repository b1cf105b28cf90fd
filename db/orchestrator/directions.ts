import {
  type ChangedDirections,
  refillOfOrder,
  refillTaskId,
  scheduleIdOf,
} from '../../domain/orchestrator/refills.js';
import type { Queryable, Sql } from '../client.js';
import type { RefillSchedule } from './refill-schedules.js';

/** New directions that a pharmacy accepted in the answer to a hold (D145). */
interface HoldDirections {
  submissionId: string;
  /** The pharmacy's id. */
  holdId: string;
  changes: ChangedDirections;
  /** When the pharmacy accepted them. */
  at: Date;
}

/**
 * Applies the changed directions of an order to the refills after it, once per hold (D145). Locks the task of the
 * order, so that an approval that is about to make its schedule takes them over.
 * @param order `heldBy` is the task, or the reference of a refill or replacement; `taskId` is the task of its runs
 */
export const applyHoldDirections = (
  sql: Sql,
  { heldBy, taskId }: { heldBy: string; taskId: string },
  { submissionId, holdId, changes, at }: HoldDirections,
): Promise<void> =>
  sql.begin(async (sql) => {
    await sql`select from orchestrator.task where task_id = ${heldBy} for update`;
    if (await isOfEndedPhase(sql, heldBy)) return;
    await sql`
      insert into orchestrator.direction_change
        (task_id, phase, submission_id, hold_id, dosage, quantity, days_supply, at)
      values (
        ${taskId}, ${phaseNow(sql, taskId)}, ${submissionId}, ${holdId},
        ${changes.dosage ?? null}, ${changes.quantity ?? null}, ${changes.daysSupply ?? null}, ${at}
      )
      on conflict (submission_id, hold_id) do nothing
    `;
    await applyDirections(sql, taskId);
  });

/** The order is a fill of a phase that its plan has left: its directions end with the phase (D145). */
async function isOfEndedPhase(sql: Queryable, reference: string): Promise<boolean> {
  const refill = refillOfOrder(reference);
  if (!refill) return false;
  const rows = await sql`
    select from orchestrator.plan_fill fill
    join orchestrator.plan on plan.id = fill.plan_id
    where plan.id = ${refill.scheduleId} and fill.n = ${refill.n} and fill.phase <> plan.phase
  `;
  return rows.length > 0;
}

/** The phase for which a plan gets directions; null without a plan. */
const phaseNow = (sql: Queryable, taskId: string) =>
  sql`(select phase from orchestrator.plan where id = ${scheduleIdOf(taskId)}::uuid)`;

/**
 * Applies directions that a person changed for one schedule. The caller holds the lock of the schedule. The change is as
 * new as the lock: its transaction may have begun before a change, or a phase, that committed meanwhile.
 */
export async function changeDirections(
  sql: Queryable,
  { id }: Pick<RefillSchedule, 'id'>,
  { dosage, quantity, daysSupply }: ChangedDirections,
): Promise<void> {
  const taskId = refillTaskId(id);
  await sql`
    insert into orchestrator.direction_change (task_id, phase, dosage, quantity, days_supply, at)
    values (
      ${taskId}, ${phaseNow(sql, taskId)}, ${dosage ?? null}, ${quantity ?? null}, ${daysSupply ?? null},
      clock_timestamp()
    )
  `;
  await applyDirections(sql, taskId);
}

/**
 * Gives the open schedules of a task the newest value of each field, in whatever order the changes arrived. A plan takes
 * those of its phase, since it entered the phase.
 * @param taskId an approval, or `refill-<scheduleId>`
 */
export async function applyDirections(sql: Queryable, taskId: string): Promise<void> {
  const changes = sql`
    from orchestrator.direction_change change
    where task_id in (schedule.created_by_task, 'refill-' || schedule.id) and coalesce((
      select change.phase is not distinct from plan.phase and change.at >= entered.since
      from orchestrator.plan
      join orchestrator.plan_phase entered on entered.plan_id = plan.id and entered.n = plan.phase
      where plan.id = schedule.id
    ), true)
  `;
  const changed = sql`
    (id = ${scheduleIdOf(taskId)}::uuid or created_by_task = ${taskId}) and status in ('active', 'paused')
      and exists (select ${changes})
  `;
  // A concurrent change commits before the update reads.
  const locked = await sql`select from orchestrator.refill_schedule schedule where ${changed} for update`;
  if (locked.length === 0) return;
  await sql`
    update orchestrator.refill_schedule schedule set
      dosage = coalesce(
        (select dosage ${changes} and dosage is not null order by at desc limit 1), schedule.dosage
      ),
      quantity = coalesce(
        (select quantity ${changes} and quantity is not null order by at desc limit 1), schedule.quantity
      ),
      days_supply = coalesce(
        (select days_supply ${changes} and days_supply is not null order by at desc limit 1), schedule.days_supply
      ),
      updated_at = now()
    where ${changed}
  `;
}
