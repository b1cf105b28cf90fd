import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import type { AdminClaims } from '../../../platform/crypto/admin-token.js';
import { adminToken, call, callAs, eventually, freshTask, shared } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { prescription } from '../../helpers/prescription.js';
import { approve, ordersOf, semaglutideFor, submissionIdOf } from '../orchestrator/approvals.js';
import { atPharmacy } from '../orchestrator/exceptions.js';

const dev = shared();
let sql: Sql;
let token: string;
let patient: TestPatient;
let taskId: string;
let scheduleId: string;
let organizationId: string;
let directoryId: string;
let mrn: string;

interface Result {
  kind: string;
  id: string;
  title: string;
  state: string;
  at: string;
}
const ask = (q: string, as = token) =>
  callAs<{ results: Result[] }>(dev, 'worklist', as, {
    path: `/v1/search?${new URLSearchParams({ q }).toString()}`,
  });
const find = async (q: string, as = token) => (await ask(q, as)).body.results;
const named = async (q: string, as = token) =>
  (await find(q, as)).map(({ kind, id }) => `${kind} ${id}`).sort();
const roleIn = (orgId: string, role: AdminClaims['memberships'][number]['role']) =>
  adminToken(dev, { sub: randomUUID(), memberships: [{ orgId, role }] });

beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  token = await adminToken(dev);
  patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  taskId = approval.taskId;
  const [schedule] = await sql<{ id: string }[]>`
    select id from orchestrator.refill_schedule where created_by_task = ${taskId}
  `;
  scheduleId = schedule!.id;
  [organizationId, directoryId] = [randomUUID(), randomUUID()];
  mrn = randomUUID()
    .replaceAll('-', '')
    .slice(0, 10)
    .toUpperCase()
    .replace(/[ILOU]/g, 'X');
  const row = { id: directoryId, mrn, organizationId, emrPatientId: patient.id, emailLower: patient.email };
  await sql`insert into patients.patient_directory ${sql(row)}`;
});
afterAll(() => sql.end());

const person = () => [`patient ${directoryId}`, `schedule ${scheduleId}`, `task ${taskId}`];

test('A task is found by its id and its beginning, and no character is a wildcard', async () => {
  expect(await find(taskId)).toEqual([
    { kind: 'task', id: taskId, title: 'Semaglutide 5mg/mL', state: 'completed', at: expect.any(String) },
  ]);
  expect(await named(`  ${taskId.slice(0, -4)} `)).toContain(`task ${taskId}`);
  for (const q of [`${taskId.slice(0, -1)}_`, `${taskId.slice(0, -1)}%`, '%', '*', taskId.slice(3)])
    expect(await named(q)).not.toContain(`task ${taskId}`);
});

test('An order is found by its id, the id of the pharmacy and its tracking numbers, with its task', async () => {
  const [order] = await ordersOf(dev, taskId);
  const submissionId = submissionIdOf(dev, taskId);
  const both = [`order ${submissionId}`, `task ${taskId}`];
  expect(await find(submissionId)).toContainEqual(expect.objectContaining({ id: submissionId, taskId }));
  expect(await named(submissionId)).toEqual(both);
  expect(await named(order!.orderId)).toEqual(both);
  const numbers = [randomUUID(), randomUUID()];
  for (const trackingNumber of numbers)
    await atPharmacy(dev, order!, 'status', { status: 'shipped', trackingNumber, carrier: 'UPS' });
  for (const number of numbers) await eventually(async () => (await named(number)).length === 2 || undefined);
  expect(await named(numbers[0]!)).toEqual(both);
});

test('An order that only calls itself ours belongs to no task and no organization', async () => {
  const submission = { ...prescription(), source: 'orchestrator', sourceOrderId: taskId };
  const { status, body } = await call<{ submissionId: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: submission,
  });
  expect(status).toBe(201);
  const [order, ...others] = await find(body.submissionId);
  expect(Object.keys(order!)).toEqual(['kind', 'id', 'title', 'state', 'at']);
  expect([order!.id, others]).toEqual([body.submissionId, []]);
  expect(await named(body.submissionId, await roleIn(organizationId, 'support'))).toEqual([]);
});

test('A person is found by EMR id, directory id, MRN and address, with tasks and schedules', async () => {
  for (const q of [patient.id, directoryId, mrn.toLowerCase(), patient.email, patient.email.toUpperCase()])
    expect([q, await named(q)]).toEqual([q, person()]);
  expect(await named(scheduleId)).toEqual([`schedule ${scheduleId}`]);
});

test('A person whom only an intake knows by that address is found by it', async () => {
  const email = `${randomUUID()}@example.test`;
  const row = {
    ...{
      id: randomUUID(),
      firstName: 'Ada',
      lastName: 'Test',
      email,
      intakeType: 'glp-1',
      status: 'submitted',
    },
    ...{ emrPatientId: patient.id, body: '{}', data: sql.json({}), bodyHash: 'x', plan: 'monthly' },
    planAmountCents: 29_900,
  };
  await sql`insert into intake.submission ${sql(row)}`;
  expect(await named(email)).toEqual(person());
});

test('A plan is found as a plan only', async () => {
  const { id: emrPatientId } = await newPatient(dev, 'WA');
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await call<{ plan: { id: string } }>(dev, 'orchestrator', {
    method: 'POST',
    path: '/orchestrator/plans',
    body: {
      planRef: freshTask(),
      emrPatientId,
      treatment: 'weight',
      startDate: day,
      phases: [{ medication: 'semaglutide', fills: 2 }],
    },
  });
  const one = { kind: 'plan', id: body.plan.id, title: 'weight', state: 'active', at: expect.any(String) };
  expect(await find(emrPatientId)).toEqual([one]);
  expect(await find(body.plan.id)).toEqual([one]);
});

test('At most 20 are found, newest first', async () => {
  const prefix = `many-${randomUUID()}`;
  for (let n = 0; n < 25; n += 1)
    await sql`
      insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status, created_at)
      values (${randomUUID()}, ${`${prefix}-${n}`}, ${randomUUID()}, 'nad', 'x', 'failed', now() - make_interval(mins => ${n}))
    `;
  const found = await find(prefix);
  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `${prefix}-${n}`));
});

test('Organization roles find what is about their patients, others nothing, an admin without a role may not ask', async () => {
  const own = await roleIn(organizationId, 'support');
  expect(await named(taskId, own)).toEqual([`task ${taskId}`]);
  expect(await named(patient.email, own)).toEqual(person());
  const submissionId = submissionIdOf(dev, taskId);
  expect(await named(submissionId, own)).toEqual([`order ${submissionId}`, `task ${taskId}`]);
  const other = await roleIn(randomUUID(), 'org_admin');
  for (const q of [taskId, patient.email, patient.id, mrn, submissionId, scheduleId])
    expect(await named(q, other)).toEqual([]);
  const operator = await adminToken(dev, { sub: randomUUID(), isOperator: true });
  expect(await named(mrn, operator)).toEqual(person());
  expect((await ask(taskId, await adminToken(dev, { sub: randomUUID() }))).status).toBe(403);
});

test('400 without a query, for white space, more than 200 characters, or a control character', async () => {
  for (const q of ['', '   ', 'x'.repeat(201), 'a\u0000b']) expect((await ask(q)).status).toBe(400);
  expect((await ask('x'.repeat(200))).status).toBe(200);
});

test('The access events name what was found, and neither they nor the log have the query', async () => {
  const sub = randomUUID();
  const operator = await adminToken(dev, { sub, isOperator: true });
  await ask(patient.email, operator);
  const noted = await sql<{ event: string }[]>`
    select action || ' ' || record as event from access.access_event where actor = ${sub}
  `;
  const events = noted.map(({ event }) => event);
  expect(events.sort()).toEqual([directoryId, scheduleId, taskId].map((id) => `desk.lookup ${id}`).sort());
  const rows = await sql`
    select from access.access_event event where action = 'desk.lookup' and event::text ilike ${`%${patient.email}%`}
  `;
  expect(rows).toHaveLength(0);
  const log = readFileSync(join(defaultStateDir(), 'logs', 'product.log'), 'utf8');
  expect(log).toContain('request');
  expect(log.includes(patient.email) || log.includes(encodeURIComponent(patient.email))).toBe(false);
});
