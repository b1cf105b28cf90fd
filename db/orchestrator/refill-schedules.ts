import type { CalendarDay } from '../../domain/calendar.js';
import { type DepartureReason, graverOf, type PausedReason } from '../../domain/orchestrator/departures.js';
import type { OrderAddress } from '../../domain/orderable-patient.js';
import type { NewEvent } from '../../domain/orchestrator/events.js';
import {
  type afterRefill,
  refillReference,
  type RefillState,
  refillTaskId,
  type ScheduleStatus,
} from '../../domain/orchestrator/refills.js';
import { type Fragment, first, type Queryable } from '../client.js';
import { recordEvent } from './events.js';
import { closeFailedRefill, openFailures } from './failed-refills.js';

/** Page 1, RefillSchedule. */
export interface RefillSchedule extends RefillState {
  id: string;
  /** Whose it is (D140); '' is the default client. */
  client: string;
  emrPatientId: string;
  /** Medication key. */
  medication: string;
  /** Replaces the directions of the medication. */
  dosage: string | null;
  /** null unless paused (D117). */
  pausedReason: PausedReason | null;
  /** Replaces the quantity of the medication (D145). */
  quantity: number | null;
  lastFillDate: CalendarDay;
  /** How many refills were skipped (D119). */
  skipped: number;
  /** The address of the next refills; null: the EMR's. */
  shipTo: OrderAddress | null;
  /** How many refills go to `shipTo`. */
  shipToFills: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export const scheduleColumns = (sql: Queryable) => sql`
  id, client, emr_patient_id, medication, dosage, quantity::float8, status, total_refills_allowed, refills_sent, days_supply,
  last_fill_date, next_fill_date, skipped, ship_to, ship_to_fills, created_at, updated_at,
  case when status = 'paused' then coalesce(paused_reason, 'asked') end as paused_reason
`;

export const findSchedule = (sql: Queryable, id: string) =>
  first(
    sql<RefillSchedule[]>`select ${scheduleColumns(sql)} from orchestrator.refill_schedule where id = ${id}`,
  );

/** Like {@link findSchedule}, locked until the transaction ends. */
export const lockSchedule = (sql: Queryable, id: string) =>
  first(sql<RefillSchedule[]>`
    select ${scheduleColumns(sql)} from orchestrator.refill_schedule where id = ${id} for update
  `);

/** Newest first. */
export async function listSchedules(
  sql: Queryable,
  filter: {
    /** undefined: of all clients. */
    client?: string | undefined;
    status?: ScheduleStatus | undefined;
    emrPatientId?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<RefillSchedule[]> {
  const { client, status, emrPatientId, limit, before } = filter;
  return sql<RefillSchedule[]>`
    select ${scheduleColumns(sql)}
    from orchestrator.refill_schedule
    where true
      ${client === undefined ? sql`` : sql`and client = ${client}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${emrPatientId === undefined ? sql`` : sql`and emr_patient_id = ${emrPatientId}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc
    limit ${limit}
  `;
}

export type NewSchedule = Omit<
  RefillSchedule,
  | 'id'
  | 'status'
  | 'pausedReason'
  | 'quantity'
  | 'skipped'
  | 'shipTo'
  | 'shipToFills'
  | 'createdAt'
  | 'updatedAt'
> & {
  createdByTask: string | null;
  requestedBy: string | null;
};

/**
 * Stores a schedule, which is paused at once for a patient who has left (D117). Call it in a transaction.
 * @param read what the EMR has just said of the patient
 */
export async function insertSchedule(
  sql: Queryable,
  schedule: NewSchedule,
  read: DepartureReason | null = null,
): Promise<RefillSchedule | undefined> {
  await lockRefillsOf(sql, schedule.emrPatientId);
  return insertLocked(sql, schedule, graverOf(read, await findDeparture(sql, schedule.emrPatientId)));
}

async function insertLocked(sql: Queryable, schedule: NewSchedule, pausedReason: DepartureReason | null) {
  const status = pausedReason === null ? 'active' : 'paused';
  const stored = await first(sql<RefillSchedule[]>`
    insert into orchestrator.refill_schedule ${sql({ ...schedule, status, pausedReason })}
    on conflict (created_by_task) do nothing
    returning ${scheduleColumns(sql)}
  `);
  if (stored && pausedReason !== null) await recordEvent(sql, pausedEvent({ ...stored, pausedReason }));
  return stored;
}

/** A schedule is paused before its next refill. */
export const pausedEvent = ({
  id,
  refillsSent,
  pausedReason: reason,
}: Pick<RefillSchedule, 'id' | 'refillsSent'> & { pausedReason: string }): NewEvent => ({
  type: 'refill.paused',
  taskId: refillTaskId(id),
  data: { scheduleId: id, n: refillsSent + 1, reason },
});

/** Orders new schedules of a patient with each other, and with the patient's departure (D117). */
export async function lockRefillsOf(sql: Queryable, emrPatientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`refills of ${emrPatientId}`}, 0))`;
}

/** Why a patient gets no more refills, as far as we have heard; null for any other patient (D117). */
export async function findDeparture(sql: Queryable, emrPatientId: string): Promise<DepartureReason | null> {
  const [left] = await sql<{ reason: DepartureReason }[]>`${departureOf(sql, emrPatientId)}`;
  return left?.reason ?? null;
}

const departureOf = (sql: Queryable, emrPatientId: string): Fragment => sql`
  select reason from orchestrator.patient_departure where emr_patient_id = ${emrPatientId}
`;

/**
 * Stores the schedule of an approval. Cancels the active one of an earlier approval of the same client (D40, D140), or
 * the one that would resume by itself (D117). An open plan of the patient provides the refills of its medications, so
 * their approvals create no schedule (D125). The lock orders concurrent approvals.
 * @returns whether the pharmacy has changed the order's directions already, which the schedule does not have yet (D145)
 */
export async function replaceSchedule(
  sql: Queryable,
  schedule: NewSchedule & { createdByTask: string },
): Promise<boolean> {
  const { client, emrPatientId, medication, createdByTask } = schedule;
  await lockRefillsOf(sql, emrPatientId);
  const [known] = await sql<
    [{ isInOpenPlan: boolean; departure: DepartureReason | null; hasNewDirections: boolean }]
  >`
    select
      exists (
        select from orchestrator.plan
        join orchestrator.refill_schedule schedule on schedule.id = plan.id
        join orchestrator.plan_phase phase on phase.plan_id = plan.id
        where plan.client = coalesce((select client from orchestrator.task where task_id = ${createdByTask}), '')
          and plan.emr_patient_id = ${emrPatientId} and phase.medication = ${medication}
          and schedule.status in ('active', 'paused')
      ) as is_in_open_plan,
      (${departureOf(sql, emrPatientId)}) as departure,
      exists (
        select from orchestrator.direction_change where task_id = ${createdByTask}
      ) as has_new_directions
  `;
  if (known.isInOpenPlan) return false;
  const replaced = await sql<{ id: string; hasFailedRefill: boolean }[]>`
    update orchestrator.refill_schedule as schedule set status = 'cancelled', updated_at = now()
    where emr_patient_id = ${emrPatientId} and medication = ${medication} and client = ${client}
      and (status = 'active' or (status = 'paused' and paused_reason = 'patient_inactive'))
      and created_by_task is not null and created_by_task <> ${createdByTask}
      and not exists (
        select 1 from orchestrator.refill_schedule where created_by_task = ${createdByTask}
      )
    returning id, exists (select ${openFailures(sql, sql`schedule.id::text`)}) as has_failed_refill
  `;
  for (const { id, hasFailedRefill } of replaced) if (hasFailedRefill) await closeFailedRefill(sql, id);
  await insertLocked(sql, schedule, known.departure);
  return known.hasNewDirections;
}

/** Counts the n-th refill, once. @returns whether it counted now */
export async function advanceSchedule(
  sql: Queryable,
  id: string,
  advance: ReturnType<typeof afterRefill>,
): Promise<boolean> {
  const { count } = await sql`
    update orchestrator.refill_schedule set ${sql(advance, 'refillsSent', 'lastFillDate', 'nextFillDate', 'status')},
      updated_at = now()
    where id = ${id} and refills_sent = ${advance.refillsSent - 1}
  `;
  if (advance.status === 'completed') await closeFailedRefill(sql, id);
  return count > 0;
}

/** Counts a fill of another address, if the run's order went there (D119). */
export async function useUpShipTo(sql: Queryable, id: string, runId: string): Promise<void> {
  await sql`
    update orchestrator.refill_schedule schedule set
      ship_to = case when ship_to_fills > 1 then schedule.ship_to end, ship_to_fills = nullif(ship_to_fills - 1, 0)
    from orchestrator.run
    where schedule.id = ${id} and run.id = ${runId} and run.ship_to = schedule.ship_to
  `;
}

/** Changes of the next refills (D119); what is absent stays. */
export interface NextRefills {
  nextFillDate?: CalendarDay | undefined;
  /** Leaves a refill out, for a person's reason. */
  skip?: { reason: string | null } | undefined;
  /** null: the EMR's address. */
  shipTo?: { address: OrderAddress; fills: number } | null | undefined;
}

/** Changes the next refills of a schedule. The caller holds its lock. */
export async function changeNextRefills(
  sql: Queryable,
  id: string,
  { nextFillDate, skip, shipTo }: NextRefills,
  requestedBy: string,
): Promise<void> {
  await sql`
    update orchestrator.refill_schedule set
      next_fill_date = coalesce(${nextFillDate ?? null}::date, next_fill_date)
      ${skip ? sql`, skipped = skipped + 1, skip_reason = ${skip.reason}` : sql``}
      ${
        shipTo === undefined
          ? sql``
          : sql`,
              ship_to = ${shipTo && sql.json({ ...shipTo.address })}, ship_to_fills = ${shipTo?.fills ?? null}
            `
      },
      requested_by = ${requestedBy}, updated_at = now()
    where id = ${id}
  `;
}

/**
 * A refill of the schedule runs, has an order of unknown outcome, or is ordered at another pharmacy after a rejection.
 * The caller holds the lock of the schedule, so none begins before its transaction ends.
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
      task.state = 'running'
      or (task.state = 'failed' and (run.unknown_submission_id is not null or task.changing = 'reroute'))
    )
  `;
  return rows.length > 0;
}
