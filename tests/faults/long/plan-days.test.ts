import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import type { DevJson } from '../../../dev/dev-json.js';
import { storeOpenPlans } from '../../api/orchestrator/many-plans.js';
import { checkRefills } from '../../api/orchestrator/refills.js';
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
  await storeOpenPlans(sql, plans);
  const begunAt = Date.now();
  const { status, body } = await checkRefills(dev);
  expect([status, body.results]).toEqual([200, []]);
  expect(Date.now() - begunAt).toBeLessThan(60_000);
  const [looked] = await sql<[{ count: number }]>`
    select count(*)::int from orchestrator.plan where looked_on is not null
  `;
  expect(looked.count).toBe(Math.floor(plans / 3));
});
