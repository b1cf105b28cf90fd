import { isDeepStrictEqual } from 'node:util';
import type { Chosen } from './refill-checks.js';
import { addDays, type CalendarDay } from '../../domain/calendar.js';
import { judgePlan } from '../../domain/orchestrator/plans.js';
import type { Queryable, Sql } from '../client.js';
import type { BusinessDay } from './clock.js';
import { settlePlan } from './plan-changes.js';
import { isTold, listOpenItems, tellOfPlan } from './plan-telling.js';
import { listPlansOf, lockPlan, type Plan } from './plans.js';

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

/** The day of a daily check, with its settings `CHECK_IN_DAYS` and `CHECK_IN_GRACE_DAYS`. */
interface CheckDay extends BusinessDay {
  askDays: number;
  graceDays: number;
}

/**
 * Judges the gate of a plan as the daily check does, in one transaction, and tells whom it waits for (D126, D127).
 * Idempotent: it asks for a thing once.
 */
export const askPlan = (sql: Sql, id: string, day: CheckDay): Promise<void> =>
  sql.begin(async (sql) => {
    const plan = await lockPlan(sql, id);
    if (plan?.status !== 'active') return;
    if (isJudged(plan, day)) await tellOfPlan(sql, plan, day);
    else await settlePlan(sql, plan, plan, day);
    await sql`update orchestrator.plan set looked_on = ${day.today} where id = ${id}`;
  });

/** The gate asks today what it asked before. */
function isJudged(plan: Plan, { today, askDays }: { today: CalendarDay; askDays: number }): boolean {
  const asked = judgePlan(plan, { today, now: '', askDays });
  return asked.askedFill === plan.askedFill && isDeepStrictEqual(asked.waiting, [...plan.waiting]);
}

/**
 * Marks those of the plans as looked at for which today changes nothing: most of them on most days. Without their locks,
 * so one that changes meanwhile stays.
 * @returns the others
 */
export async function passUnchanged(
  sql: Queryable,
  ids: readonly string[],
  day: CheckDay,
): Promise<string[]> {
  const plans = await listPlansOf(sql, ids);
  const items = await listOpenItems(sql, ids);
  const unchanged = plans.filter(
    (plan) =>
      plan.status === 'active' &&
      isJudged(plan, day) &&
      isTold(
        plan,
        items.filter(({ planId }) => planId === plan.id),
        day,
      ),
  );
  const marked = await sql<{ id: string }[]>`
    update orchestrator.plan set looked_on = ${day.today}
    from unnest(
      ${sql.array(unchanged.map(({ id }) => id))}::uuid[], ${sql.array(unchanged.map(({ version }) => version))}::text[]
    ) as judged (id, version)
    where plan.id = judged.id and plan.updated_at::text = judged.version
    returning plan.id
  `;
  const passed = new Set(marked.map(({ id }) => id));
  return ids.filter((id) => !passed.has(id));
}

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
