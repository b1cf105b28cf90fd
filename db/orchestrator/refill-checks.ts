import type { CalendarDay } from '../../domain/calendar.js';
import type { Fragment, Queryable, Sql } from '../client.js';
import { type RefillSchedule, scheduleColumns } from './refill-schedules.js';

/** The schedules that a check looks at. */
export interface Chosen {
  /** If given, no others (D146). */
  scheduleIds?: readonly string[] | undefined;
  /** If given, only this client's (D140). */
  client?: string | undefined;
}

/**
 * Stores every active schedule that is due as an item of this check, once: a concurrent call waits and finds them.
 * Interleaves clients, so that one with thousands does not delay the others.
 * @returns the number of items
 */
export const openCheck = (
  sql: Sql,
  { checkId, scheduleIds, client }: Chosen & { checkId: string },
  today: CalendarDay,
): Promise<number> =>
  sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`refill check ${checkId}`}, 0))`;
    const [noted] = await sql<{ count: number }[]>`
      with existing as (
        select count(*)::int as count from orchestrator.refill_check_result where check_id = ${checkId}
      ), noted as (
        insert into orchestrator.refill_check_result (check_id, position, schedule_id)
        select ${checkId}, row_number() over (order by turn, next_fill_date, id), id
        from (
          select id, next_fill_date, row_number() over (
            partition by coalesce(approved.requested_by, schedule.requested_by) order by next_fill_date, id
          ) as turn
          from orchestrator.refill_schedule schedule
          left join lateral (
            select requested_by from orchestrator.run where task_id = created_by_task order by created_at limit 1
          ) approved on true
          where status = 'active' and next_fill_date <= ${today}
            ${client === undefined ? sql`` : sql`and schedule.client = ${client}`}
            ${scheduleIds ? sql`and id = any(${sql.array([...scheduleIds])}::uuid[])` : sql``}
        ) due
        where (select count from existing) = 0
        returning 1
      )
      select (select count from existing) + (select count(*)::int from noted) as count
    `;
    return noted?.count ?? 0;
  });

export interface CheckEntry {
  position: number;
  schedule: RefillSchedule;
}

/** The entries of a page without a result, with the current state of their schedules. */
export async function listPage(
  sql: Queryable,
  page: { checkId: string; after: number; size: number },
): Promise<CheckEntry[]> {
  const rows = await sql<(RefillSchedule & { position: number })[]>`
    select position, ${scheduleColumns(sql)}
    from orchestrator.refill_check_result result
    join orchestrator.refill_schedule schedule on schedule.id = result.schedule_id
    where result.check_id = ${page.checkId} and result.position > ${page.after}
      and result.position <= ${page.after + page.size} and result.processed is null
    order by result.position
  `;
  return rows.map(({ position, ...schedule }) => ({ position, schedule }));
}

/**
 * Matches a `schedule` with a failed charge that nobody waived or cancelled: of a refill, or of the approval that made
 * the schedule (D118).
 */
export function isUnpaid(sql: Queryable): Fragment {
  const hasFailed = (charge: Fragment) => sql`
    exists (
      select from orchestrator.payment payment
      left join orchestrator.payment_recovery recovery on recovery.reference = payment.task_id
      where ${charge} and payment.status = 'failed' and recovery.state is distinct from 'cancelled'
    )
  `;
  // Refill references sort between `<task>-` and `<task>.` in byte order, so an index finds them.
  return sql`(
    ${hasFailed(sql`payment.task_id = schedule.created_by_task`)}
    or ${hasFailed(sql`
      payment.task_id collate "C" > 'refill-' || schedule.id || '-'
      and payment.task_id collate "C" < 'refill-' || schedule.id || '.'
    `)}
  )`;
}

/** Those of the schedules that an unpaid charge may hold. */
export async function listUnpaidSchedules(sql: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select schedule.id
    from orchestrator.refill_schedule schedule
    where schedule.id = any(${sql.array([...ids])}::uuid[]) and ${isUnpaid(sql)}
  `;
  return new Set(rows.map(({ id }) => id));
}

export interface CheckOutcome {
  position: number;
  processed: boolean;
  reason: string | null;
}

export async function recordOutcomes(
  sql: Queryable,
  checkId: string,
  outcomes: readonly CheckOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ position, processed, reason }) => [position, processed, reason] as const);
  await sql`
    update orchestrator.refill_check_result result set processed = outcome.processed::boolean, reason = outcome.reason
    from (values ${sql(rows as never)}) as outcome (position, processed, reason)
    where result.check_id = ${checkId} and result.position = outcome.position::int
  `;
}

/** A result of page 1, Refill decision; `reason` says why there was no refill. */
export interface RefillResult {
  scheduleId: string;
  emrPatientId: string;
  medication: string;
  processed: boolean;
  reason: string | null;
}

export const listResults = (sql: Queryable, checkId: string) =>
  sql<RefillResult[]>`
    select result.schedule_id, schedule.emr_patient_id, schedule.medication, coalesce(result.processed, false) as processed,
      result.reason
    from orchestrator.refill_check_result result
    join orchestrator.refill_schedule schedule on schedule.id = result.schedule_id
    where result.check_id = ${checkId}
    order by result.position
  `;
