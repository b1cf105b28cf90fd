import { isDeepStrictEqual } from 'node:util';
import type { Chosen } from './refill-checks.js';
import { addDays, type CalendarDay } from '../../domain/calendar.js';
import { judgePlan } from '../../domain/orchestrator/plans.js';
import type { Queryable, Sql } from '../client.js';
import type { BusinessDay } from './clock.js';
import { type AskingDays, settlePlan } from './plan-changes.js';
import { tellOfPlan } from './plan-telling.js';
import { lockPlan } from './plans.js';

/**
 * Active plans whose fill is near and that no check of today has looked at (D126).
 * @param chosen if given, no others (D140, D146)
 */
export async function listPlansToAsk(
  sql: Queryable,
  {
    today,
    askDays,
    scheduleIds,
    client,
    limit,
  }: Chosen & { today: CalendarDay; askDays: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select plan.id
    from orchestrator.plan
    join orchestrator.refill_schedule schedule on schedule.id = plan.id
    where schedule.status = 'active' and schedule.next_fill_date <= ${addDays(today, askDays)}
      and plan.looked_on is distinct from ${today}
      ${client === undefined ? sql`` : sql`and plan.client = ${client}`}
      ${scheduleIds ? sql`and plan.id = any(${sql.array([...scheduleIds])}::uuid[])` : sql``}
    order by schedule.next_fill_date, plan.id
    limit ${limit}
  `;
  return rows.map(({ id }) => id);
}

/**
 * Judges the gate of a plan as the daily check does, in one transaction, and tells whom it waits for (D126, D127).
 * Idempotent: it asks for a thing once.
 */
export const askPlan = (sql: Sql, id: string, day: BusinessDay & Required<AskingDays>): Promise<void> =>
  sql.begin(async (sql) => {
    const plan = await lockPlan(sql, id);
    if (plan?.status !== 'active') return;
    const { today, askDays } = day;
    const asked = judgePlan(plan, { today, now: '', askDays });
    const isSame = asked.askedFill === plan.askedFill && isDeepStrictEqual(asked.waiting, [...plan.waiting]);
    if (isSame) await tellOfPlan(sql, plan, day);
    else await settlePlan(sql, plan, plan, day);
    await sql`update orchestrator.plan set looked_on = ${today} where id = ${id}`;
  });

/** Those of the schedules whose plan waits for something (D126). */
export async function listClosedGates(sql: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from orchestrator.plan
    where id = any(${sql.array([...ids])}::uuid[]) and jsonb_array_length(waiting) > 0
  `;
  return new Set(rows.map(({ id }) => id));
}

const openPlans = (sql: Queryable) => sql`
  from orchestrator.plan
  join orchestrator.refill_schedule schedule on schedule.id = plan.id
  where schedule.status in ('active', 'paused')
`;

export async function countOpenPlans(sql: Queryable): Promise<number> {
  const [count] = await sql<[{ count: number }]>`select count(*)::int ${openPlans(sql)}`;
  return count.count;
}

/** Open plans that have not changed for some seconds, with what their run shows first. */
export const listOpenPlans = (sql: Queryable, olderThanSeconds: number) =>
  sql<{ id: string; treatment: string; fill: number; phase: number }[]>`
    select plan.id, plan.treatment, schedule.refills_sent + 1 as fill, plan.phase
    ${openPlans(sql)}
      and greatest(plan.updated_at, schedule.updated_at) < now() - make_interval(secs => ${olderThanSeconds})
  `;
