// Nothing that is done every day takes longer for what was done before: no statement reads a whole table of the past.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql } from '../../../db/client.js';
import { call, eventually } from '../../helpers/client.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { day, type Place } from './day.js';
import { addPast } from './past.js';
import { logPlans, type Plan } from './plans.js';
import { rarities } from './rare.js';
import { boundedTables, grownTables } from './tables.js';

/** Rows of each table; evidence/growth/growth.test.ts has a million, and all statements. */
const rows = Number(process.env['GROWTH_ROWS'] ?? 50_000);
/** More than any statement needs of what is open, or of one patient or client. */
const enough = 2_000;

let running: TestSystem;
let place: Place;
beforeAll(async () => {
  running = await startTestSystem();
  const { dev } = running.system;
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  place = { dev, sql, stateDir: running.stateDir };
});
afterAll(async () => {
  await place.sql.end();
  await running.stop();
});

test(`beside ${rows} closed orders no statement of a day's work, or of a sweep, reads a table of them`, async () => {
  const { dev, sql, stateDir } = place;
  await day(place);
  await rarities(place);
  await addPast(dev.databaseUrl, rows);
  const plans = await logPlans(sql, stateDir);
  await eventually(async () => (await call(dev, 'orchestrator', { path: '/ready' })).status < 500);
  // Again and again, since a statement that is repeated gets a plan for whatever it is asked.
  for (let days = 0; days < 7; days++) await day(place);
  for (const sweep of sweeps) await eventually(() => hasRun(plans(), sweep));

  const read = new Set<string>();
  const wrong = new Set<string>();
  for await (const { statement, readings } of plans())
    for (const { table, how, rows } of readings) {
      read.add(table);
      if (table in grownTables && (how === 'Seq Scan' || rows > enough))
        wrong.add(`${how} of ${table}: ${statement.replace(/\s+/g, ' ').trim()}`);
    }
  expect([...wrong]).toEqual([]);
  expect([...read]).toEqual(expect.arrayContaining(ofADay));
}, 7_200_000);

/** Statements that each day runs: without them the day is incomplete. */
const ofADay = [
  ...['task', 'run', 'order_reference', 'payment', 'shipment', 'refill_schedule', 'cancellation'].map(
    (name) => `orchestrator.${name}`,
  ),
  ...['submission', 'callback', 'hold', 'work_item', 'outbox'].map((name) => `router.${name}`),
  ...['notification.delivery', 'worklist.work_item', 'access.access_event'],
];

test('every table is known to grow, or why it stays small', async () => {
  const tables = await place.sql<{ name: string }[]>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')
  `;
  const known = [...Object.keys(grownTables), ...Object.keys(boundedTables)];
  expect(tables.map(({ name }) => name).sort()).toEqual(known.sort());
});

/** Counts the sweeps of orchestrator, router and notification service. */
const sweeps = [/task\.kind = 'deny'/, /outcome is null and updated_at/, /status is null and created_at/];

async function hasRun(plans: AsyncGenerator<Plan>, wanted: RegExp): Promise<boolean> {
  for await (const { statement } of plans) if (wanted.test(statement)) return true;
  return false;
}
