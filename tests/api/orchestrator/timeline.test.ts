import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { openWorkItem } from '../../../db/work-items.js';
import { type TimelineEntry, timelineKinds } from '../../../domain/timeline.js';
import { rx } from '../../cli/rx.js';
import { adminToken, call, callAs, eventually, freshTask, shared } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';
import { approve, messagesTo, semaglutideFor } from './approvals.js';
import { atPharmacy, booked, cancel, reroute } from './exceptions.js';
import { checkRefills } from './refills.js';
import { lost, replace, shipped } from './replacements.js';

interface Timeline {
  taskId: string;
  entries: TimelineEntry[];
  error?: string;
}

const dev = shared();
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:1';
let sql: Sql;
let alone: SecondApi;
let lonely: SecondApi;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  const quiet = { LOG_LEVEL: 'silent' };
  const away = { ROUTER_URL: nowhere, NOTIFICATION_URL: nowhere, WORKLIST_URL: nowhere };
  alone = await startSecondApi(dev, ['orchestrator'], { ...away, ...quiet });
  lonely = await startSecondApi(dev, ['worklist'], { ORCHESTRATOR_URL: nowhere, ...quiet });
});
afterAll(async () => {
  await alone.stop();
  await lonely.stop();
  await sql.end();
});

const timelineOf = (taskId: string, at = dev, key?: string) =>
  call<Timeline>(at, 'orchestrator', {
    path: `/orchestrator/timeline/${encodeURIComponent(taskId)}`,
    ...(key && { key }),
  });
const kindsOf = ({ entries }: Timeline) => new Set(entries.map(({ kind }) => kind));
const everyKind = timelineKinds.filter((kind) => kind !== 'gap');

/** A life with a hold, a refill, a work item and a cancellation with its refund. */
async function lived(): Promise<{ patient: TestPatient; taskId: string; scheduleId: string }> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  const { taskId } = approval;
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await booked(dev, taskId);
  const hold = {
    id: `hold-${randomUUID()}`,
    code: 'out-of-stock',
    message: `Ask ${patient.name}, ${patient.phone}`,
  };
  await atPharmacy(dev, order!, 'hold', hold);
  const [schedule] = await sql<{ id: string }[]>`
    update orchestrator.refill_schedule set next_fill_date = current_date where created_by_task = ${taskId} returning id
  `;
  expect((await checkRefills(dev)).status).toBe(200);
  await sql.begin((sql) =>
    openWorkItem(sql, 'orchestrator', {
      kind: 'shipment_failed',
      fact: randomUUID(),
      reason: 'unanswered',
      references: { taskId },
    }),
  );
  expect((await cancel(dev, { taskId, reason: `${patient.name} said so` })).status).toBe(200);
  return { patient, taskId, scheduleId: schedule!.id };
}
let life: Promise<Awaited<ReturnType<typeof lived>>> | undefined;
const theLife = () => (life ??= lived());
/** Callbacks, messages and work items come a little later. */
const wholeTimeline = (taskId: string) =>
  eventually(async () => {
    const { body } = await timelineOf(taskId);
    return everyKind.every((kind) => kindsOf(body).has(kind)) ? body : undefined;
  });

describe('GET /orchestrator/timeline/:taskId', () => {
  test('200 with every kind of what happened, by time, as each service tells it', async () => {
    const { taskId } = await theLife();
    const timeline = await wholeTimeline(taskId);
    expect(timeline.taskId).toBe(taskId);
    expect(kindsOf(timeline)).toEqual(new Set(everyKind));
    const times = timeline.entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    for (const entry of timeline.entries)
      expect(Object.keys(entry).sort()).toEqual(['at', 'kind', 'link', 'service', 'state', 'text']);
    const of = (kind: string) => timeline.entries.filter((entry) => entry.kind === kind);
    expect(of('run').map(({ text, state }) => [text, state])).toEqual(
      expect.arrayContaining([
        ['Approval of semaglutide', 'completed'],
        ['Refill 1 of semaglutide', 'completed'],
      ]),
    );
    expect(of('run')[0]?.link).toContain(encodeURIComponent(`approval:${taskId}`));
    expect(of('step').filter(({ text }) => text.startsWith('4/7 Submit to pharmacy'))).toHaveLength(2);
    expect(of('step')[2]?.text).toBe('3/7 Choose prescriber');
    expect(of('order')).toMatchObject([
      { service: 'router', state: 'cancelled' },
      { service: 'router', state: 'submitted' },
    ]);
    expect(of('hold')).toMatchObject([{ text: 'pharmacy_a asks: out_of_stock', state: 'released' }]);
    expect(of('charge')).toMatchObject([
      { text: 'Charge 1: 299.00 USD', state: 'succeeded' },
      { text: 'Charge 1: 299.00 USD', state: 'succeeded' },
    ]);
    expect(of('refund')).toMatchObject([{ text: 'Refunded 299.00 USD', state: 'succeeded' }]);
    expect(of('message').map(({ service, text }) => [service, text])).toContainEqual([
      'notification',
      'prescription_approved, email sent, sms sent',
    ]);
    expect(of('work_item').map(({ service, text }) => [service, text])).toContainEqual([
      'worklist',
      'A shipment could not be recorded: unanswered',
    ]);
    expect(
      of('cancellation')
        .map(({ service, state }) => [service, state])
        .sort(),
    ).toEqual([
      ['orchestrator', 'approved'],
      ['router', 'approved'],
    ]);
    expect(of('refill')).toMatchObject([{ state: 'cancelled' }]);
  });

  test('200 without any value of the patient', async () => {
    const { patient, taskId, scheduleId } = await theLife();
    const told = JSON.stringify([
      await wholeTimeline(taskId),
      (await timelineOf(`refill-${scheduleId}`)).body,
    ]);
    expect((await messagesTo(dev, patient)).length).toBeGreaterThan(0);
    const { name, email, phone, id } = patient;
    for (const canary of [
      name,
      name.split(' ')[1]!,
      email,
      phone,
      id,
      'Larch',
      'Sampleton',
      '1984-03-12',
      'said so',
    ])
      expect(told).not.toContain(canary);
    // A whole word: ports and ids may contain these digits.
    expect(told).not.toMatch(/\b13202\b/);
  });

  test("200 for a schedule's task: its refills", async () => {
    const { scheduleId } = await theLife();
    const { status, body } = await timelineOf(`refill-${scheduleId}`);
    expect(status).toBe(200);
    expect(body.entries.find(({ kind }) => kind === 'run')?.text).toBe('Refill 1 of semaglutide');
    expect(body.entries.filter(({ kind }) => kind === 'order')).toHaveLength(1);
  });

  test('200 for the reference of a refill, a moved order or a replacement: the whole task', async () => {
    const { scheduleId } = await theLife();
    const { taskId } = await shipped(dev);
    expect((await replace(dev, lost(taskId))).status).toBe(200);
    const approval = semaglutideFor((await newPatient(dev, 'WA')).id);
    expect((await approve(dev, approval)).status).toBe(200);
    expect((await reroute(dev, { taskId: approval.taskId, pharmacy: 'pharmacy_b' })).status).toBe(200);
    const firstRuns = {
      [`refill-${scheduleId}-1`]: 'Refill 1 of semaglutide',
      [`${taskId}~1`]: 'Approval of semaglutide',
      [`${approval.taskId}#2`]: 'Approval of semaglutide',
    };
    for (const [reference, text] of Object.entries(firstRuns)) {
      const { status, body } = await timelineOf(reference);
      expect([reference, status]).toEqual([reference, 200]);
      expect(body.entries.find(({ kind }) => kind === 'run')?.text).toBe(text);
    }
  });

  test('200 with a gap for each service that is away, and the rest', async () => {
    const { taskId } = await theLife();
    const { status, body } = await timelineOf(taskId, {
      ...dev,
      services: { ...dev.services, ...alone.services },
    });
    expect(status).toBe(200);
    const gaps = body.entries.filter(({ kind }) => kind === 'gap');
    expect(gaps.map(({ service }) => service).sort()).toEqual(['notification', 'router', 'worklist']);
    for (const { service, text } of gaps) expect(text).toContain(service);
    expect(kindsOf(body)).toEqual(
      new Set(['run', 'step', 'charge', 'refund', 'shipment', 'refill', 'cancellation', 'gap']),
    );
  });

  test('200 with a failed step and no error text, which may name somebody', async () => {
    const taskId = freshTask();
    await approve(dev, { taskId, medication: 'semaglutide', emrPatientId: 'nobody' });
    const { body } = await timelineOf(taskId);
    expect(body.entries.find(({ state, kind }) => kind === 'step' && state === 'failed')?.text).toMatch(
      /^2\/7 Find patient in EMR/,
    );
    expect(JSON.stringify(body)).not.toContain('nobody');
  });

  test('404 for an unknown task, 403 for a key of another scope, and the worklist may ask for nothing else', async () => {
    expect((await timelineOf(freshTask())).status).toBe(404);
    expect((await timelineOf(freshTask(), dev, 'clinic')).status).toBe(403);
    expect((await timelineOf(freshTask(), dev, 'worklist')).status).toBe(404);
    const path = `/orchestrator/status/${freshTask()}`;
    expect((await call(dev, 'orchestrator', { path, key: 'worklist' })).status).toBe(403);
  });

  test("the parts are told to the client whose they are: another's orders and messages are not", async () => {
    const { taskId } = await theLife();
    const ask = async (service: 'router' | 'notification', path: string, body: unknown, key: string) =>
      (await call<Timeline>(dev, service, { method: 'POST', path, body, key })).body.entries.length;
    expect(await ask('router', '/rx/timeline', { references: [taskId] }, 'orchestrator')).toBeGreaterThan(0);
    expect(await ask('router', '/rx/timeline', { references: [taskId] }, 'clinic')).toBe(0);
    const [{ submissionId } = {}] = await sql<{ submissionId: string }[]>`
      select result ->> 'submissionId' as "submissionId" from orchestrator.run where task_id = ${taskId}
    `;
    const keys = [`prescription_approved:${submissionId}`];
    expect(await ask('notification', '/notify/timeline', { keys }, 'orchestrator')).toBe(1);
    expect(await ask('notification', '/notify/timeline', { keys }, 'notifier')).toBe(0);
  });

  test('rx timeline prints it', async () => {
    const { taskId } = await theLife();
    const { stdout, exitCode } = await rx('timeline', taskId);
    expect(exitCode).toBe(0);
    for (const text of ['Approval of semaglutide', 'pharmacy_a asks: out_of_stock', 'Refunded 299.00 USD'])
      expect(stdout).toContain(text);
    expect((await rx('timeline', freshTask())).exitCode).toBe(1);
  });
});

describe('GET /v1/timeline/:taskId at the worklist', () => {
  const path = (taskId: string) => `/v1/timeline/${encodeURIComponent(taskId)}`;

  test("200 for a superadmin with the orchestrator's entries, 403 for another admin, 404 for an unknown task", async () => {
    const { taskId } = await theLife();
    await wholeTimeline(taskId);
    const { status, body } = await callAs<Timeline>(dev, 'worklist', await adminToken(dev), {
      path: path(taskId),
    });
    expect([status, body.taskId]).toEqual([200, taskId]);
    expect(kindsOf(body)).toEqual(new Set(everyKind));
    const other = await adminToken(dev, { memberships: [{ orgId: randomUUID(), role: 'org_admin' }] });
    expect((await callAs(dev, 'worklist', other, { path: path(taskId) })).status).toBe(403);
    expect((await callAs(dev, 'worklist', undefined, { path: path(taskId) })).status).toBe(401);
    const unknown = await callAs<Timeline>(dev, 'worklist', await adminToken(dev), {
      path: path(freshTask()),
    });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
  });

  test('200 with the work items and a gap while the orchestrator is away', async () => {
    const { taskId } = await theLife();
    await wholeTimeline(taskId);
    const at = { ...dev, services: { ...dev.services, ...lonely.services } };
    const { status, body } = await callAs<Timeline>(at, 'worklist', await adminToken(dev), {
      path: path(taskId),
    });
    expect(status).toBe(200);
    expect(kindsOf(body)).toEqual(new Set(['work_item', 'gap']));
    expect(body.entries.at(-1)).toMatchObject({ kind: 'gap', service: 'orchestrator' });
  });
});
