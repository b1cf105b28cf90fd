import { planChanged } from '../../domain/events.js';
import type { DepartureReason } from '../../domain/orchestrator/departures.js';
import {
  phaseOf,
  type PlanPhase,
  type PlanPosition,
  type PlanState,
  totalFills,
} from '../../domain/orchestrator/plans.js';
import type { Told } from '../../domain/orchestrator/plan-notices.js';
import { refillTaskId, type ScheduleStatus } from '../../domain/orchestrator/refills.js';
import { first, type Queryable } from '../client.js';
import { publishEvent } from '../outbox.js';
import { applyDirections } from './directions.js';
import { closeFailedRefill } from './failed-refills.js';
import { insertSchedule } from './refill-schedules.js';

/** A course of treatment (D125), with where it stands. */
export interface Plan extends PlanPosition, Told {
  id: string;
  client: string;
  planRef: string;
  emrPatientId: string;
  treatment: string;
  /** Of the schedule. */
  status: ScheduleStatus;
  state: PlanState;
  stoppedBecause: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const stateOf = (sql: Queryable) => sql`
  case
    when schedule.status = 'completed' then 'completed'
    when schedule.status = 'cancelled' then 'stopped'
    when schedule.status = 'paused' then 'paused'
    when jsonb_array_length(plan.waiting) > 0 then 'waiting'
    else 'active'
  end
`;

const columns = (sql: Queryable) => sql`
  plan.id, plan.client, plan.plan_ref, plan.emr_patient_id, plan.treatment, plan.prescribed_until, plan.phase, plan.is_first,
  plan.had_first, plan.last_days_supply, plan.days_on_hand, plan.checked_fill, plan.is_flagged, plan.is_cancelled,
  plan.decided_fill, plan.is_gap_decided, plan.asked_fill, plan.waiting, plan.noticed_fill, plan.noticed, plan.notice_round, plan.reminders,
  plan.reminded_on, plan.created_at, greatest(plan.updated_at, schedule.updated_at)
    as updated_at,
  case when schedule.status = 'cancelled' then coalesce(plan.stopped_because, 'cancelled') end as stopped_because,
  schedule.status, schedule.refills_sent + 1 as fill, schedule.next_fill_date, schedule.last_fill_date,
  ${stateOf(sql)} as state,
  (
    select json_agg(json_build_object(
      'n', n, 'medication', medication, 'dosage', dosage, 'fills', fills, 'daysSupply', days_supply,
      'checkIn', check_in, 'decision', decision, 'sent', sent
    ) order by n)
    from orchestrator.plan_phase where plan_id = plan.id
  ) as phases
`;

const joined = (sql: Queryable) =>
  sql`orchestrator.plan join orchestrator.refill_schedule schedule on schedule.id = plan.id`;

export const findPlan = (sql: Queryable, id: string) =>
  first(sql<Plan[]>`select ${columns(sql)} from ${joined(sql)} where plan.id = ${id}`);

/** The plans, each with its version, which every change of the plan changes. */
export const listPlansOf = (sql: Queryable, ids: readonly string[]) =>
  sql<(Plan & { version: string })[]>`
    select ${columns(sql)}, plan.updated_at::text as version from ${joined(sql)}
    where plan.id = any(${sql.array([...ids])}::uuid[])
  `;

/** Like {@link findPlan}; locks the schedule, and so its plan, until the transaction ends. */
export async function lockPlan(sql: Queryable, id: string): Promise<Plan | undefined> {
  await sql`select from orchestrator.refill_schedule where id = ${id} for update`;
  return findPlan(sql, id);
}

/** Newest first. */
export const listPlans = (
  sql: Queryable,
  filter: {
    /** undefined: of all clients. */
    client?: string | undefined;
    state?: PlanState | undefined;
    emrPatientId?: string | undefined;
    treatment?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
) => {
  const { client, state, emrPatientId, treatment, before, limit } = filter;
  return sql<Plan[]>`
    select ${columns(sql)}
    from ${joined(sql)}
    where true
      ${client === undefined ? sql`` : sql`and plan.client = ${client}`}
      ${state === undefined ? sql`` : sql`and ${stateOf(sql)} = ${state}`}
      ${emrPatientId === undefined ? sql`` : sql`and plan.emr_patient_id = ${emrPatientId}`}
      ${treatment === undefined ? sql`` : sql`and plan.treatment = ${treatment}`}
      ${before === undefined ? sql`` : sql`and plan.id < ${before}`}
    order by plan.id desc
    limit ${limit}
  `;
};

/** The plan of a reference, with the hash of the body that made it. */
export const findPlanByRef = (sql: Queryable, { client, planRef }: { client: string; planRef: string }) =>
  first(sql<{ id: string; bodyHash: string }[]>`
    select id, body_hash from orchestrator.plan where client = ${client} and plan_ref = ${planRef}
  `);

/** A plan that has not ended. The caller holds the lock of {@link lockRefillsOf}. */
export const findOpenPlan = (
  sql: Queryable,
  { client, emrPatientId, treatment }: { client: string; emrPatientId: string; treatment: string },
) =>
  first(sql<{ id: string }[]>`
    select plan.id from ${joined(sql)}
    where plan.client = ${client} and plan.emr_patient_id = ${emrPatientId} and plan.treatment = ${treatment}
      and schedule.status in ('active', 'paused')
  `);

interface StoredPlan {
  client: string;
  planRef: string;
  bodyHash: string;
  emrPatientId: string;
  treatment: string;
  position: PlanPosition;
  requestedBy: string;
}

/**
 * Stores a plan with its schedule, and cancels the patient's schedules that approvals made for its medications (D125).
 * The caller holds the lock of {@link lockRefillsOf}.
 * @param read what the EMR has just said of the patient
 */
export async function insertPlan(
  sql: Queryable,
  { position, ...plan }: StoredPlan,
  read: DepartureReason | null,
): Promise<string> {
  const { client, emrPatientId, requestedBy } = plan;
  const { medication, dosage, daysSupply } = phaseOf(position);
  const medications = [...new Set(position.phases.map((phase) => phase.medication))];
  const replaced = await sql<{ id: string }[]>`
    update orchestrator.refill_schedule set status = 'cancelled', updated_at = now()
    where client = ${client} and emr_patient_id = ${emrPatientId} and medication = any(${sql.array(medications)}::text[])
      and (status = 'active' or (status = 'paused' and paused_reason = 'patient_inactive'))
      and created_by_task is not null
    returning id
  `;
  for (const { id } of replaced) await closeFailedRefill(sql, id);
  const { lastFillDate, nextFillDate, fill } = position;
  const schedule = await insertSchedule(
    sql,
    {
      ...{ client, emrPatientId, medication, dosage, daysSupply, lastFillDate, nextFillDate, requestedBy },
      ...{ totalRefillsAllowed: totalFills(position.phases), refillsSent: fill - 1, createdByTask: null },
    },
    read,
  );
  if (!schedule) throw new Error('A new schedule was not stored');
  const { id } = schedule;
  const { planRef, bodyHash, treatment } = plan;
  const { prescribedUntil, phase, isFirst, hadFirst, lastDaysSupply } = position;
  const row = {
    id,
    client,
    planRef,
    bodyHash,
    emrPatientId,
    treatment,
    prescribedUntil,
    phase,
    isFirst,
    hadFirst,
  };
  await sql`insert into orchestrator.plan ${sql({ ...row, lastDaysSupply })}`;
  for (const one of position.phases)
    await sql`insert into orchestrator.plan_phase ${sql({ planId: id, ...one })}`;
  // The last fill of a course that began elsewhere, which the next one is compared with (D127).
  const last = hadFirst ? position.phases.findLast(({ sent }) => sent > 0) : undefined;
  if (last)
    await sql`
      insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, dosage, days_supply, counted_at)
      values (${id}, ${fill - 1}, ${last.n}, false, ${last.medication}, ${last.dosage}, ${last.daysSupply}, now())
    `;
  return id;
}

/**
 * Stores where a plan stands, and its schedule with it: the next fill has the directions of its phase.
 * @param isBack the plan returns to a phase as if it had not left it (D145)
 */
export async function savePlan(
  sql: Queryable,
  before: Plan,
  after: PlanPosition,
  { isBack = false } = {},
): Promise<void> {
  const { id } = before;
  for (const phase of after.phases) {
    const stored = before.phases[phase.n - 1];
    if (stored?.sent !== phase.sent || stored.fills !== phase.fills)
      await sql`
        update orchestrator.plan_phase set sent = ${phase.sent}, fills = ${phase.fills}
        where plan_id = ${id} and n = ${phase.n}
      `;
  }
  const isOther = after.phase !== before.phase;
  await sql`
    update orchestrator.plan set
      prescribed_until = ${after.prescribedUntil}, phase = ${after.phase}, is_first = ${after.isFirst},
      had_first = ${after.hadFirst}, last_days_supply = ${after.lastDaysSupply}, days_on_hand = ${after.daysOnHand},
      checked_fill = ${after.checkedFill}, is_flagged = ${after.isFlagged}, is_cancelled = ${after.isCancelled},
      decided_fill = ${after.decidedFill}, is_gap_decided = ${after.isGapDecided}, asked_fill = ${after.askedFill},
      waiting = ${sql.json(after.waiting.map((entry) => ({ ...entry })))}, looked_on = null, updated_at = now()
    where id = ${id}
  `;
  if (isOther && !isBack)
    await sql`
      update orchestrator.plan_phase set since = clock_timestamp() where plan_id = ${id} and n = ${after.phase}
    `;
  const { medication, dosage, daysSupply } = phaseOf(after);
  // A cancelled fill keeps its number, so the schedule counts it.
  const cancelled = after.fill - 1 - sum(after.phases);
  await sql`
    update orchestrator.refill_schedule set
      total_refills_allowed = ${totalFills(after.phases) + cancelled}, next_fill_date = ${after.nextFillDate}
      ${
        isOther
          ? sql`, medication = ${medication}, dosage = ${dosage}, quantity = null, days_supply = ${daysSupply}`
          : sql``
      }
    where id = ${id}
  `;
  if (isBack) await applyDirections(sql, refillTaskId(id));
}

const sum = (phases: readonly PlanPhase[]) => phases.reduce((all, { sent }) => all + sent, 0);

/** Tells what follows from a change after it is committed: a fill that is due is sent, and the run shows the plan. */
export const publishPlanChange = (sql: Queryable, planId: string, { mayBeDue = true } = {}) =>
  publishEvent(sql, 'orchestrator', {
    detailType: planChanged,
    aggregateId: `plan:${planId}`,
    detail: { planId, mayBeDue },
  });

interface PlanHistory {
  checkIns: {
    id: string;
    at: Date;
    fill: number;
    phase: number;
    flagged: boolean;
    daysOnHand: number | null;
  }[];
  decisions: { at: Date; fill: number; phase: number; by: string; reason: string | null }[];
}

/** The check-ins that count, one for each fill, and the decisions, oldest first. */
export async function readPlanHistory(sql: Queryable, planId: string): Promise<PlanHistory> {
  const checkIns = await sql<PlanHistory['checkIns']>`
    select * from (
      select distinct on (fill) id, at, fill, phase, flagged, days_on_hand
      from orchestrator.plan_check_in where plan_id = ${planId}
      order by fill, at desc
    ) newest order by at
  `;
  const decisions = await sql<PlanHistory['decisions']>`
    select at, fill, phase, by, reason from orchestrator.plan_decision where plan_id = ${planId} order by at
  `;
  return { checkIns, decisions };
}

export type CheckIn = PlanHistory['checkIns'][number] & { answers: string | null };
export const findCheckIn = (sql: Queryable, planId: string, id: string) =>
  first(sql<CheckIn[]>`
    select id, at, fill, phase, flagged, days_on_hand, answers from orchestrator.plan_check_in
    where plan_id = ${planId} and id = ${id}
  `);
