import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import type { DevJson } from '../../../dev/dev-json.js';
import { checkRefills, dayFromToday } from '../../api/orchestrator/refills.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';

/** Every third of these waits for a check-in, and its patient was notified. */
const plans = 20_000;

let system: TestSystem;
let dev: DevJson;
let sql: Sql;
beforeAll(async () => {
  system = await startTestSystem({});
  ({ dev } = system.system);
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await sql.end();
  await system.stop();
});

test(`the daily check of ${plans} open plans takes under a minute when none is due`, async () => {
  const [soon, later] = [dayFromToday(5), dayFromToday(20)];
  await sql`
    with made as (
      insert into orchestrator.refill_schedule
        (emr_patient_id, medication, total_refills_allowed, refills_sent, days_supply, last_fill_date, next_fill_date, updated_at)
      select 'p' || n, 'semaglutide', 4, 1, 30, ${dayFromToday(-22)}::date,
        case when n % 3 = 0 then ${soon}::date else ${later}::date end,
        -- no sweep takes them for lost
        now() + interval '1 day'
      from generate_series(1, ${plans}) n
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
  await sql`analyze`;
  const begunAt = Date.now();
  const { status, body } = await checkRefills(dev);
  expect([status, body.results]).toEqual([200, []]);
  expect(Date.now() - begunAt).toBeLessThan(60_000);
  const [looked] = await sql<[{ count: number }]>`
    select count(*)::int from orchestrator.plan where looked_on is not null
  `;
  expect(looked.count).toBe(Math.floor(plans / 3));
});
