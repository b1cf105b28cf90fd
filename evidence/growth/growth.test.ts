// Runs the tests of the parts beside `GROWTH_ROWS` closed rows in each table that grows. No statement of db/ may scan
// a large table or a whole index.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql } from '../../db/client.js';
import { projectRoot } from '../../dev/project-root.js';
import { day } from '../../tests/faults/long/day.js';
import { addPast } from '../../tests/faults/long/past.js';
import { logPlans, type Plan } from '../../tests/faults/long/plans.js';
import { rarities } from '../../tests/faults/long/rare.js';
import { startTestSystem, type TestSystem } from '../../tests/helpers/system.js';
import { Judge } from './judge.js';
import { playRest } from './rest.js';

const rows = Number(process.env['GROWTH_ROWS'] ?? 1_000_000);
const partsWithinMs = 75 * 60_000;
/** All but tests that read every table for a patient's values, and those whose own connections run the statements. */
const playedFiles = '^((?!patients/long/erasure|activities/(retention|twice|long)).)*$';

/** Statements that nothing runs beside old rows, and the reason. */
const notRun: Record<string, string> = {
  'db/access/api-keys.ts putApiKey': 'keys of development, by their id',
  'db/migrate.ts migrate': 'a migration',
  'db/migrate.ts takeLock': 'a migration',
  'db/migrate.ts createRoles': 'a migration',
  'db/migrate.ts applyFiles': 'a migration',
};
/** They read a whole period: that is what they are for. */
const readsAll: Record<string, string> = {
  'db/access/access-days.ts hashOfDay': 'all access events of a day, page by page',
  'db/router/scorecard.ts scorePharmacies': 'all orders of the days that are asked for',
};

let running: TestSystem;
let plansSoFar: () => AsyncGenerator<Plan>;
beforeAll(async () => {
  running = await startTestSystem();
  const { system, stateDir } = running;
  const { dev } = system;
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await day({ dev, sql, stateDir });
  await rarities({ dev, sql, stateDir });
  const beganMs = Date.now();
  await addPast(dev.databaseUrl, rows);
  console.log(`${rows} rows of each table in ${Math.round((Date.now() - beganMs) / 1_000)} s`);
  plansSoFar = await logPlans(sql, stateDir);
  await sql.end();
}, 5_400_000);
afterAll(() => running.stop());

test(`beside ${rows} closed rows of each table no statement reads a table of them`, async () => {
  const { dev } = running.system;
  const secondsSince = (ms: number): number => Math.round((Date.now() - ms) / 1_000);
  let beganMs = Date.now();
  const failed = await playParts(running.stateDir);
  console.log(`parts in ${secondsSince(beganMs)} s`);
  // One connection, because Postgres chooses generic plans per connection.
  const sql = createSql(dev.databaseUrl, { applicationName: 'rest', max: 1 });
  beganMs = Date.now();
  await playRest(sql);
  console.log(`rest in ${secondsSince(beganMs)} s`);
  await sql.end();

  beganMs = Date.now();
  const judge = new Judge();
  for await (const plan of plansSoFar()) judge.see(plan);
  const { statements, plans, unseen, tooMuch, givenUp } = judge.verdict();
  console.log(`judged in ${secondsSince(beganMs)} s`);
  console.log(`${statements} statements, ${plans} plans; tests that failed beside it:\n${failed.join('\n')}`);
  const isMeant = (where: string) => Object.keys(readsAll).some((name) => where.startsWith(name));
  expect(tooMuch.filter((where) => !isMeant(where))).toEqual([]);
  expect(givenUp.filter((where) => !isMeant(where))).toEqual([]);
  expect(unseen.filter((where) => !(where in notRun))).toEqual([]);
}, 9_000_000);

/** Runs the tests of the parts on this system. @returns names of failed tests, which this test ignores */
async function playParts(stateDir: string): Promise<string[]> {
  const results = join(stateDir, 'parts.json');
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const tests = ['--selectProjects', 'parts', 'long-parts', '--testPathPatterns', playedFiles];
  const child = spawn(process.execPath, [...jest, ...tests, '--json', `--outputFile=${results}`], {
    cwd: projectRoot,
    stdio: 'ignore',
    timeout: partsWithinMs,
    env: { ...process.env, FAULTS: 'full', PARTS_STATE_DIR: stateDir },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  // Statements that the tests did not reach in time count as unseen.
  if (code === null) return [`All that were left after ${partsWithinMs / 60_000} minutes`];
  const { testResults } = JSON.parse(await readFile(results, 'utf8')) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
}
