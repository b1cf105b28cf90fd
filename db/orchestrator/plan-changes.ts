import { randomUUID } from 'node:crypto';
import type { CalendarDay } from '../../domain/calendar.js';
import {
  afterCancelledFill,
  afterCheckIn,
  afterDecision,
  afterFill,
  gateOf,
  judgePlan,
  phaseOf,
  type PlanPosition,
} from '../../domain/orchestrator/plans.js';
import { first, type Queryable } from '../client.js';
import { closeFailedRefill } from './failed-refills.js';
import { type CheckIn, lockPlan, type Plan, publishPlanChange, savePlan } from './plans.js';
import { isRefillUnderWay } from './refill-schedules.js';

/**
 * Judges the gate of a changed plan and stores it, in the transaction of the change (D126). While a fill runs nothing
 * is asked: what came meanwhile counts for the next. The caller holds the lock of the plan.
 * @param askDays set by the daily check, which alone asks first
 */
export async function settlePlan(
  sql: Queryable,
  before: Plan,
  after: PlanPosition,
  { today, askDays }: { today: CalendarDay; askDays?: number | undefined },
): Promise<void> {
  const isOpen = before.status === 'active' || before.status === 'paused';
  const isSending = isOpen && (await isRefillUnderWay(sql, { id: before.id, refillsSent: before.fill - 1 }));
  const asked =
    isOpen && !isSending
      ? judgePlan(after, { today, now: new Date().toISOString(), askDays })
      : { waiting: [] };
  await savePlan(sql, before, { ...after, ...asked });
  await publishPlanChange(sql, before.id);
}

/** Judges a plan whose schedule was skipped, moved or resumed. Any other schedule stays. Call it in that transaction. */
export async function judgeChangedPlan(sql: Queryable, id: string, today: CalendarDay): Promise<void> {
  const plan = await lockPlan(sql, id);
  if (plan) await settlePlan(sql, plan, plan, { today });
}

/** Stores a check-in for the next fill (D126). The caller holds the lock of the plan. */
export async function addCheckIn(
  sql: Queryable,
  plan: Plan,
  { answers, flagged, daysOnHand }: { answers: string; flagged: boolean; daysOnHand: number | null },
  today: CalendarDay,
): Promise<Omit<CheckIn, 'answers'>> {
  const { fill, phase } = plan;
  const row = { id: randomUUID(), planId: plan.id, fill, phase, flagged, daysOnHand, answers };
  const [stored] = await sql<[Omit<CheckIn, 'answers'>]>`
    insert into orchestrator.plan_check_in ${sql(row)}
    returning id, at, fill, phase, flagged, days_on_hand
  `;
  await settlePlan(sql, plan, afterCheckIn(plan, { flagged, daysOnHand }, today), { today });
  return stored;
}

/** Stores a decision about the next fill. The caller holds the lock of the plan. */
export async function addDecision(
  sql: Queryable,
  plan: Plan,
  { phase, by, reason }: { phase: number; by: string; reason: string | null },
  today: CalendarDay,
): Promise<void> {
  const row = { planId: plan.id, fill: plan.fill, phase, by, reason };
  await sql`insert into orchestrator.plan_decision ${sql(row)}`;
  await settlePlan(sql, plan, afterDecision(plan, phase), { today });
}

/** The newest decision about a fill. */
export const findDecision = (sql: Queryable, planId: string, fill: number) =>
  first(sql<{ phase: number; by: string; reason: string | null }[]>`
    select phase, by, reason from orchestrator.plan_decision where plan_id = ${planId} and fill = ${fill}
    order by at desc
    limit 1
  `);

/** Stops a plan for a person's reason. The caller holds the lock of the plan. */
export async function stopPlan(
  sql: Queryable,
  id: string,
  reason: string,
  requestedBy: string,
): Promise<void> {
  await sql`
    update orchestrator.refill_schedule set status = 'cancelled', requested_by = ${requestedBy}, updated_at = now()
    where id = ${id}
  `;
  await sql`
    update orchestrator.plan set stopped_because = ${reason}, waiting = '[]', updated_at = now() where id = ${id}
  `;
  await closeFailedRefill(sql, id);
  await publishPlanChange(sql, id);
}

/**
 * Records the phase of a fill at the claim of its run. The caller holds the lock of the schedule.
 * @returns false if the gate is closed today, or the fill has another medication now
 */
export async function claimPlanFill(
  sql: Queryable,
  id: string,
  { medication, today }: { medication: string; today: CalendarDay | undefined },
): Promise<boolean> {
  const plan = await lockPlan(sql, id);
  if (!plan) return true;
  const phase = phaseOf(plan);
  if (phase.medication !== medication) return false;
  if (plan.waiting.length > 0 || gateOf(plan, today ?? plan.nextFillDate).length > 0) return false;
  const { phase: n, isFirst } = plan;
  await sql`
    insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, dosage, days_supply)
    select id, ${plan.fill}, ${n}, ${isFirst}, medication, dosage, days_supply
    from orchestrator.refill_schedule where id = ${id}
    on conflict (plan_id, n) do update set
      phase = excluded.phase, is_first = excluded.is_first, medication = excluded.medication,
      dosage = excluded.dosage, days_supply = excluded.days_supply
  `;
  return true;
}

const fillOf = async (sql: Queryable, plan: Plan, n: number) =>
  (await first(sql<{ phase: number; isFirst: boolean; daysSupply: number; wasCounted: boolean }[]>`
    select phase, is_first, days_supply, counted_at is not null as was_counted
    from orchestrator.plan_fill where plan_id = ${plan.id} and n = ${n}
  `)) ?? { ...plan, daysSupply: phaseOf(plan).daysSupply, wasCounted: n < plan.fill };

/**
 * Counts the n-th fill of a plan, once. The caller holds the lock of the schedule, and has not counted it there.
 * @returns undefined for a schedule without a plan, else whether it counted now
 */
export async function countPlanFill(
  sql: Queryable,
  id: string,
  n: number,
  today: CalendarDay,
): Promise<boolean | undefined> {
  const plan = await lockPlan(sql, id);
  if (!plan) return undefined;
  if (plan.fill !== n) return false;
  const fill = await fillOf(sql, plan, n);
  const { plan: after, isLast } = afterFill(plan, { n, ...fill }, today);
  const status = isLast && plan.status !== 'cancelled' ? 'completed' : plan.status;
  await sql`
    update orchestrator.refill_schedule set
      refills_sent = ${n}, last_fill_date = ${today}, status = ${status}, updated_at = now()
    where id = ${id}
  `;
  await sql`update orchestrator.plan_fill set counted_at = now() where plan_id = ${id} and n = ${n}`;
  await savePlan(sql, plan, after);
  await publishPlanChange(sql, id);
  if (status === 'completed') await closeFailedRefill(sql, id);
  return true;
}

/**
 * Gives the place of a cancelled fill back, once (D125). The caller holds the lock of the schedule.
 * @returns false for a schedule without a plan
 */
export async function cancelPlanFill(
  sql: Queryable,
  id: string,
  n: number,
  today: CalendarDay,
): Promise<boolean> {
  const plan = await lockPlan(sql, id);
  if (!plan) return false;
  const fill = await fillOf(sql, plan, n);
  const marked = await sql`
    insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, days_supply, cancelled_at)
    values (${id}, ${n}, ${fill.phase}, ${fill.isFirst}, ${phaseOf(plan).medication}, ${fill.daysSupply}, now())
    on conflict (plan_id, n) do update set cancelled_at = now() where plan_fill.cancelled_at is null
    returning n
  `;
  if (marked.length === 0) return true;
  const after = afterCancelledFill(plan, { n, ...fill });
  // A plan that its last fill had completed goes on, unless another course has begun.
  const reopens = sql`
    status = 'completed' and not exists (
      select from orchestrator.plan other
      join orchestrator.refill_schedule schedule on schedule.id = other.id
      where other.emr_patient_id = ${plan.emrPatientId} and other.treatment = ${plan.treatment}
        and schedule.status in ('active', 'paused')
    )
  `;
  const [schedule] = await sql<[{ status: Plan['status'] }]>`
    update orchestrator.refill_schedule set
      refills_sent = ${after.fill - 1}, updated_at = now(), status = case when ${reopens} then 'active' else status end
    where id = ${id}
    returning status
  `;
  await settlePlan(sql, { ...plan, status: schedule.status, fill: after.fill }, after, { today });
  return true;
}
