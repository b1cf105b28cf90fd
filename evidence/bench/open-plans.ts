import type { Sql } from '../../db/client.js';
import { dayFromToday } from '../../tests/api/orchestrator/refills.js';

/** One statement has 10 s. */
const plansAtOnce = 2_000;

/** Stores open plans of which none is due, and every third waits for a check-in that the patient was told of. */
export async function storeOpenPlans(sql: Sql, plans: number): Promise<void> {
  for (let first = 1; first <= plans; first += plansAtOnce)
    await storePlans(sql, first, Math.min(first + plansAtOnce - 1, plans));
  await sql`analyze`;
}

async function storePlans(sql: Sql, first: number, last: number): Promise<void> {
  const [soon, later] = [dayFromToday(5), dayFromToday(20)];
  await sql`
    with made as (
      insert into orchestrator.refill_schedule
        (emr_patient_id, medication, total_refills_allowed, refills_sent, days_supply, last_fill_date, next_fill_date, updated_at)
      select 'p' || n, 'semaglutide', 4, 1, 30, ${dayFromToday(-22)}::date,
        case when n % 3 = 0 then ${soon}::date else ${later}::date end,
        -- no sweep takes them for lost
        now() + interval '1 day'
      from generate_series(${first}::int, ${last}::int) n
      returning id, emr_patient_id, next_fill_date
    ), planned as (
      insert into orchestrator.plan
        (id, plan_ref, body_hash, emr_patient_id, treatment, prescribed_until, phase, is_first, had_first, last_days_supply,
          asked_fill, noticed_fill, noticed, waiting)
      select id, id, '', emr_patient_id, 'weight', ${dayFromToday(365)}::date, 1, false, true, 30, 2, 2, 1,
        case when next_fill_date = ${soon}::date then jsonb_build_array(jsonb_build_object(
          'what', 'check_in', 'because', 'fill', 'fill', 2, 'since', '2026-01-01T00:00:00.000Z', 'dueAt', next_fill_date
        )) else '[]'::jsonb end
      from made
    )
    insert into orchestrator.plan_phase (plan_id, n, medication, fills, days_supply, check_in, decision, sent)
    select id, 1, 'semaglutide', 4, 30, 'fill', 'none', 1 from made
  `;
}
