import { randomUUID } from 'node:crypto';
import type { CalendarDay } from '../../domain/calendar.js';
import type { NewEvent } from '../../domain/orchestrator/events.js';
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
import type { BusinessDay } from './clock.js';
import { recordEvent, recordEvents } from './events.js';
import { closeFailedRefill } from './failed-refills.js';
import { publishTreatmentChange, tellAnew, tellOfPlan } from './plan-telling.js';
import { type CheckIn, lockPlan, type Plan, publishPlanChange, savePlan } from './plans.js';
import { findDeparture, isRefillUnderWay, pausedEvent } from './refill-schedules.js';

/**
 * Judges the gate of a changed plan and stores it, in the transaction of the change (D126). While a fill runs nothing
 * is asked: what came meanwhile counts for the next. The caller holds the lock of the plan.
 * Then it notifies the patient or the people for whom the plan waits (D127), and its client (D129).
 * @param day `askDays` and `graceDays` are set by the daily check, which alone asks first
 */
export async function settlePlan(
  sql: Queryable,
  before: Plan,
  after: PlanPosition,
  day: BusinessDay & AskingDays,
  { isBack = false, mayBeDue = true } = {},
): Promise<void> {
  const { today, askDays } = day;
  const isOpen = before.status === 'active' || before.status === 'paused';
  const isSending = isOpen && (await isRefillUnderWay(sql, { id: before.id, refillsSent: before.fill - 1 }));
  const asked =
    isOpen && !isSending
      ? judgePlan(after, { today, now: new Date().toISOString(), askDays })
      : { waiting: [] };
  const plan = { ...after, ...asked };
  await savePlan(sql, before, plan, { isBack });
  await recordEvents(sql, plan.waiting.filter(isNewTo(before)).map(waitingEvent(before.id, plan.phase)));
  await tellOfPlan(sql, { ...before, ...plan }, day);
  // The daily check sends what is due itself.
  await publishPlanChange(sql, before.id, { mayBeDue: mayBeDue && askDays === undefined });
}

/** The settings of the daily check. */
interface AskingDays {
  /** `CHECK_IN_DAYS` */
  askDays?: number | undefined;
  /** `CHECK_IN_GRACE_DAYS` */
  graceDays?: number | undefined;
}

type Entry = Plan['waiting'][number];
const isNewTo =
  ({ waiting }: Plan) =>
  ({ what, fill }: Entry) =>
    !waiting.some((earlier) => earlier.what === what && earlier.fill === fill);

const waitingEvent =
  (planId: string, phase: number) =>
  ({ fill, what, because, dueAt }: Entry): NewEvent => ({
    type: 'plan.waiting',
    taskId: null,
    planId,
    data: { fill, phase, what, because, dueAt },
  });

/** A plan is stopped once. */
const stoppedEvent = ({ id, fill, phase }: Plan, reason: 'asked' | 'cancelled'): NewEvent => ({
  type: 'plan.stopped',
  taskId: null,
  planId: id,
  fact: `plan.stopped ${id}`,
  data: { fill, phase, reason },
});

/**
 * Judges a plan whose schedule was skipped, moved, paused, resumed or cancelled. Any other schedule stays. Call it in
 * that transaction.
 */
export async function judgeChangedPlan(
  sql: Queryable,
  id: string,
  day: BusinessDay,
  { isResumed = false, mayBeDue = true } = {},
): Promise<void> {
  const plan = await lockPlan(sql, id);
  if (!plan) return;
  const isAnew = isResumed && plan.waiting.some(({ dueAt }) => dueAt < plan.nextFillDate);
  const judged = isAnew ? await tellAnew(sql, plan) : plan;
  await settlePlan(sql, judged, judged, day, { mayBeDue });
  if (plan.status === 'cancelled') await recordEvent(sql, stoppedEvent(plan, 'cancelled'));
}

/** Stores a check-in for the next fill (D126). The caller holds the lock of the plan. */
export async function addCheckIn(
  sql: Queryable,
  plan: Plan,
  { answers, flagged, daysOnHand }: { answers: string; flagged: boolean; daysOnHand: number | null },
  day: BusinessDay,
): Promise<Omit<CheckIn, 'answers'>> {
  const { fill, phase } = plan;
  const row = { id: randomUUID(), planId: plan.id, fill, phase, flagged, daysOnHand, answers };
  const [stored] = await sql<[Omit<CheckIn, 'answers'>]>`
    insert into orchestrator.plan_check_in ${sql(row)}
    returning id, at, fill, phase, flagged, days_on_hand
  `;
  await settlePlan(sql, plan, afterCheckIn(plan, { flagged, daysOnHand }, day.today), day);
  return stored;
}

/** Stores a decision about the next fill. The caller holds the lock of the plan. */
export async function addDecision(
  sql: Queryable,
  plan: Plan,
  { phase, by, reason }: { phase: number; by: string; reason: string | null },
  day: BusinessDay,
): Promise<void> {
  const { id: planId, fill } = plan;
  await sql`insert into orchestrator.plan_decision ${sql({ planId, fill, phase, by, reason })}`;
  await recordEvent(sql, { type: 'plan.decided', taskId: null, planId, data: { fill, phase } });
  await settlePlan(sql, plan, afterDecision(plan, phase, day.today), day);
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
  plan: Plan,
  { reason, requestedBy, ...day }: BusinessDay & { reason: string; requestedBy: string },
): Promise<void> {
  const { id } = plan;
  await sql`
    update orchestrator.refill_schedule set status = 'cancelled', requested_by = ${requestedBy}, updated_at = now()
    where id = ${id}
  `;
  await sql`
    update orchestrator.plan set stopped_because = ${reason}, waiting = '[]', updated_at = now() where id = ${id}
  `;
  await closeFailedRefill(sql, id);
  await recordEvent(sql, stoppedEvent(plan, 'asked'));
  await tellOfPlan(sql, { ...plan, status: 'cancelled', waiting: [] }, day);
  await publishPlanChange(sql, id);
}

const isGateClosed = (plan: Plan, today: CalendarDay): boolean =>
  plan.waiting.length > 0 || gateOf(plan, today).length > 0;

/**
 * Records the phase of a fill at the claim of its run. The caller holds the lock of the schedule.
 * @returns false if the gate is closed today, or the fill has another medication now
 */
export async function claimPlanFill(
  sql: Queryable,
  id: string,
  { medication, today }: { medication: string; today: CalendarDay },
): Promise<boolean> {
  const plan = await lockPlan(sql, id);
  if (!plan) return true;
  const phase = phaseOf(plan);
  if (phase.medication !== medication || isGateClosed(plan, today)) return false;
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
 * Why the order of a fill that failed goes to no other pharmacy (D126); undefined if it may. The caller holds the lock
 * of its task.
 */
export async function heldByPlan(
  sql: Queryable,
  id: string,
  n: number,
  today: CalendarDay,
): Promise<string | undefined> {
  const plan = await lockPlan(sql, id);
  if (!plan) return undefined;
  if (isGateClosed(plan, today)) return 'Plan is waiting';
  const { phase } = await fillOf(sql, plan, n);
  // Its order has the directions of a phase that is not next any more.
  return phase === plan.phase ? undefined : 'There is no order to move';
}

/**
 * Counts the n-th fill of a plan, once. The caller holds the lock of the schedule, and has not counted it there.
 * @returns undefined for a schedule without a plan, else whether it counted now
 */
export async function countPlanFill(
  sql: Queryable,
  id: string,
  n: number,
  day: BusinessDay,
): Promise<boolean | undefined> {
  const { today } = day;
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
  await tellOfPlan(sql, { ...plan, ...after, status }, day);
  await publishTreatmentChange(sql, id, n);
  await publishPlanChange(sql, id);
  if (status === 'completed') {
    await closeFailedRefill(sql, id);
    const data = { fill: n, phase: fill.phase };
    await recordEvent(sql, {
      type: 'plan.completed',
      taskId: null,
      planId: id,
      fact: `plan.completed ${id} ${n}`,
      data,
    });
  }
  return true;
}

/**
 * Gives the place of a cancelled fill back, once (D125). The caller holds the locks of the schedule and of
 * {@link lockRefillsOf}, since a completed plan may be open again.
 * @returns false for a schedule without a plan
 */
export async function cancelPlanFill(
  sql: Queryable,
  id: string,
  n: number,
  day: BusinessDay,
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
  const left = await findDeparture(sql, plan.emrPatientId);
  // A plan that its last fill had completed is open again, unless the patient has another plan. It is paused for a
  // patient who has left (D117).
  const reopens = sql`
    status = 'completed' and not exists (
      select from orchestrator.plan other
      join orchestrator.refill_schedule schedule on schedule.id = other.id
      where other.client = ${plan.client} and other.emr_patient_id = ${plan.emrPatientId}
        and other.treatment = ${plan.treatment} and schedule.status in ('active', 'paused')
    )
  `;
  const [schedule] = await sql<[{ status: Plan['status'] }]>`
    update orchestrator.refill_schedule set
      refills_sent = ${after.fill - 1}, updated_at = now(),
      status = case when ${reopens} then ${left === null ? 'active' : 'paused'} else status end,
      paused_reason = case when status = 'completed' then ${left} else paused_reason end
    where id = ${id}
    returning status
  `;
  if (left !== null && plan.status === 'completed' && schedule.status === 'paused')
    await recordEvent(sql, pausedEvent({ id, refillsSent: after.fill - 1, pausedReason: left }));
  const before = { ...plan, status: schedule.status, fill: after.fill };
  await settlePlan(sql, before, after, day, { isBack: true });
  return true;
}
