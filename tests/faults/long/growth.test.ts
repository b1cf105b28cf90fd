// Nothing that is done every day takes longer for what was done before: no statement reads a whole table of the past.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { createSql, type Sql } from '../../../db/client.js';
import { closeWorkItem, openWorkItem } from '../../../db/work-items.js';
import { approve, runsOf, semaglutideFor, submissionIdOf } from '../../api/orchestrator/approvals.js';
import { atPharmacy, booked, cancel } from '../../api/orchestrator/exceptions.js';
import { checkRefills, dayFromToday, newSchedule } from '../../api/orchestrator/refills.js';
import { adminToken, call, callAs, eventually, freshTask } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { inState } from '../../helpers/prescription.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { addPast, grownTables } from './past.js';
import { logPlans, type Reading } from './plans.js';

const rows = 100_000;
/** More than any statement needs of what is open, or of one patient or client. */
const enough = 2_000;

let running: TestSystem;
let dev: DevJson;
let sql: Sql;
beforeAll(async () => {
  running = await startTestSystem();
  dev = running.system.dev;
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await sql.end();
  await running.stop();
});

/** One of everything that a day brings, to its end. */
async function day(): Promise<void> {
  const patient = await newPatient(dev, 'NY');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  await runsOf(dev, taskId);

  const [order] = await booked(dev, taskId);
  await atPharmacy(dev, order!, 'status', { status: 'shipped' });
  await eventually(async () => (await callbacksOf(submissionIdOf(dev, taskId))).includes('update'));

  await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
  expect((await checkRefills(dev)).status).toBe(200);

  const denial = { taskId: freshTask(), emrPatientId: patient.id, reason: 'Not indicated.' };
  await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: denial });

  const taken = semaglutideFor(patient.id);
  expect((await approve(dev, taken)).status).toBe(200);
  expect((await cancel(dev, { taskId: taken.taskId, reason: 'Prescribed twice.' })).status).toBe(200);

  const submitted = await call<{ submissionId: string }>(dev, 'router', {
    ...{ key: 'clinic', method: 'POST', path: '/rx/prescriptions/submit', body: inState('WA') },
  });
  await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submitted.body.submissionId}` });
  await call(dev, 'router', { key: 'clinic', path: '/rx/prescriptions' });

  await workItem();
}

const callbacksOf = async (submissionId: string) => {
  const found = await sql<{ kind: string }[]>`
    select kind from router.callback where submission_id = ${submissionId} and state = 'delivered'
  `;
  return found.map(({ kind }) => kind);
};

/** An item that is opened, looked for, put off, and closed. */
async function workItem(): Promise<void> {
  const taskId = freshTask();
  const fact = { kind: 'approval_failed', fact: taskId } as const;
  const token = await adminToken(dev, {}, running.stateDir);
  const items = async (query: string) =>
    (
      await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, {
        path: `/v1/work-items?${query}`,
      })
    ).body.workItems;
  await sql.begin((sql) =>
    openWorkItem(sql, 'orchestrator', { ...fact, reason: 'test', references: { taskId } }),
  );
  const [item] = await eventually(async () => {
    const found = await items(`taskId=${taskId}&state=open`);
    return found.length > 0 && found;
  });
  for (const query of [
    '',
    'state=open',
    'state=closed',
    'state=snoozed',
    'overdue=true',
    'kind=domain_unverified',
    `organizationId=${randomUUID()}`,
  ])
    await items(query);
  await callAs(dev, 'worklist', token, { path: `/v1/work-items/${item!.id}` });
  await sql.begin((sql) => closeWorkItem(sql, 'orchestrator', fact));
  await eventually(async () => (await items(`taskId=${taskId}&state=closed`)).length > 0);
}

test(`beside ${rows} closed orders no statement of a day's work, or of a sweep, reads a table of them`, async () => {
  await day();
  await addPast(sql, rows);
  const read = await logPlans(sql, running.stateDir);
  await eventually(async () => (await call(dev, 'orchestrator', { path: '/ready' })).status < 500);
  // Again and again, since a statement that is repeated gets a plan for whatever it is asked.
  for (let days = 0; days < 7; days++) await day();
  for (const sweep of sweeps)
    await eventually(() => Promise.resolve(read().some(({ statement }) => sweep.test(statement))));

  const readings = read().filter(({ table }) => table in grownTables);
  expect(new Set(readings.map(({ table }) => table))).toEqual(new Set(Object.keys(grownTables)));
  expect(summed(readings.filter((reading) => reading.how === 'Seq Scan' || reading.rows > enough))).toEqual(
    [],
  );
}, 1_800_000);

/** Of the orchestrator's, the router's and the notification service's sweeps. */
const sweeps = [/task\.kind = 'deny'/, /outcome is null and updated_at/, /status is null and created_at/];

const summed = (readings: Reading[]) => [
  ...new Set(
    readings.map(
      ({ how, table, statement }) => `${how} of ${table}: ${statement.replace(/\s+/g, ' ').trim()}`,
    ),
  ),
];
