// Nothing that is done every day takes longer for what was done before: no statement reads a whole table of the past.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql } from '../../../db/client.js';
import { call, eventually } from '../../helpers/client.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { day, type Place } from './day.js';
import { addPast, grownTables } from './past.js';
import { logPlans, type Reading } from './plans.js';

/** Of each table; `GROWTH_ROWS` of 1,000,000 takes some 15 GB of disk and an hour. */
const rows = Number(process.env['GROWTH_ROWS'] ?? 100_000);
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
  await addPast(sql, rows);
  const read = await logPlans(sql, stateDir);
  await eventually(async () => (await call(dev, 'orchestrator', { path: '/ready' })).status < 500);
  // Again and again, since a statement that is repeated gets a plan for whatever it is asked.
  for (let days = 0; days < 7; days++) await day(place);
  for (const sweep of sweeps)
    await eventually(() => Promise.resolve(read().some(({ statement }) => sweep.test(statement))));

  const readings = read().filter(({ table }) => table in grownTables);
  expect(new Set(readings.map(({ table }) => table))).toEqual(new Set(Object.keys(grownTables)));
  expect(summed(readings.filter((reading) => reading.how === 'Seq Scan' || reading.rows > enough))).toEqual(
    [],
  );
}, 7_200_000);

/** Of the orchestrator's, the router's and the notification service's sweeps. */
const sweeps = [/task\.kind = 'deny'/, /outcome is null and updated_at/, /status is null and created_at/];

const summed = (readings: Reading[]) => [
  ...new Set(
    readings.map(
      ({ how, table, statement }) => `${how} of ${table}: ${statement.replace(/\s+/g, ' ').trim()}`,
    ),
  ),
];
