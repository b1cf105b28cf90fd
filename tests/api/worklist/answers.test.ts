import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { recordDelivery } from '../../../db/event-deliveries.js';
import { reportFailedShipment } from '../../../db/orchestrator/shipments.js';
import { recordAttempt } from '../../../db/router/callbacks.js';
import { openWorkItem } from '../../../db/work-items.js';
import { claimAnswer } from '../../../db/worklist/items.js';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import { adminToken, call, callAs, eventually, shared } from '../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../helpers/patients.js';
import { prescription } from '../../helpers/prescription.js';
import { approve, callsTo, semaglutideFor, submissionIdOf } from '../orchestrator/approvals.js';
import { atPharmacy, booked, cancel, reroute } from '../orchestrator/exceptions.js';
import { checkRefills, dayFromToday, newSchedule } from '../orchestrator/refills.js';

interface Item {
  id: string;
  kind: string;
  reason: string;
  state: string;
  closedBy: string | null;
  answer: string | null;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 3 });
});
afterAll(() => sql.end());

const as = async <T = Record<string, unknown>>(path: string, body?: unknown) =>
  callAs<T>(dev, 'worklist', await adminToken(dev), {
    method: body === undefined ? 'GET' : 'POST',
    path,
    ...(body === undefined ? {} : { body }),
  });

/** An item of a fact, as its service has it. */
const own = async (schema: string, kind: string, fact: string) => {
  const [item] = await sql<{ id: string; state: string; reason: string; closedBy: string | null }[]>`
    select id, state, reason, closed_by from ${sql(`${schema}.work_item`)} where kind = ${kind} and fact = ${fact}
  `;
  return item;
};
const answer = async (id: string, given: string, data?: object) => {
  await eventually(async () => (await as(`/v1/work-items/${id}`)).status === 200);
  return as<{ workItem: Item; message: string }>(`/v1/work-items/${id}/answer`, { answer: given, data });
};

describe('a callback', () => {
  const attempt = (
    callback: { submissionId: string; callbackId: string },
    status: number,
    attempts: number,
  ) =>
    recordAttempt(sql, {
      ...callback,
      attemptId: randomUUID(),
      at: new Date().toISOString(),
      status,
      error: status < 300 ? null : `answered ${status}`,
      durationMs: 1,
      series: 1,
      attempts,
      firstAttemptAt: Date.now(),
      verdict:
        status < 300
          ? { state: 'delivered', nextAttemptAt: null }
          : { state: 'pending', nextAttemptAt: Date.now() + 3_600_000 },
    });

  async function newCallback() {
    const { body } = await call<{ submissionId: string }>(dev, 'router', {
      key: 'clinic',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: prescription(),
    });
    const { submissionId } = body;
    const [callback] = await sql<{ id: string }[]>`
      insert into router.callback (submission_id, sequence, kind, payload, state, series, next_attempt_at)
      values (${submissionId}, 99, 'update', '{}', 'pending', 1, now() + interval '1 hour')
      returning id
    `;
    return { submissionId, callbackId: callback!.id };
  }

  test('that is refused three times is a work item while it is tried on, and heals when it arrives', async () => {
    const callback = await newCallback();
    const item = () => own('router', 'callback_dead', callback.callbackId);
    for (const [n, status] of [404, 409, 500, 403].entries()) await attempt(callback, status, n + 1);
    expect(await item()).toBeUndefined();
    await attempt(callback, 400, 5);
    expect(await item()).toMatchObject({ state: 'open', reason: 'refused' });
    await attempt(callback, 200, 6);
    expect(await item()).toMatchObject({ state: 'closed', closedBy: 'system' });
  });

  test('is sent again by the answer, and refused again it is the same item', async () => {
    const callback = await newCallback();
    for (const n of [1, 2, 3]) await attempt(callback, 404, n);
    const { id } = (await own('router', 'callback_dead', callback.callbackId))!;
    expect(await answer(id, 'redeliver')).toMatchObject({
      status: 200,
      body: { workItem: { state: 'closed' } },
    });
    const [row] = await sql<{ series: number }[]>`
      select series from router.callback where id = ${callback.callbackId}
    `;
    expect(row!.series).toBe(2);
  });
});

describe('an event', () => {
  async function newDelivery() {
    const [event] = await sql<{ id: string }[]>`
      insert into organization.outbox (source, detail_type, aggregate_id, organization_id, detail, shipped_at)
      values ('organization', 'test.happened', ${randomUUID()}, null, '{}', now())
      returning id
    `;
    const eventId = event!.id;
    await sql`
      insert into organization.event_delivery (event_id, consumer, aggregate_id, sequence)
      select id, 'sink', aggregate_id, sequence from organization.outbox where id = ${eventId}
    `;
    return { eventId, fact: `${eventId} sink` };
  }
  const record = (
    eventId: string,
    attempts: number,
    refused: boolean,
    state: 'pending' | 'dead' | 'delivered',
  ) =>
    recordDelivery(sql, 'organization', {
      eventId,
      consumer: 'sink' as const,
      attempts,
      firstAttemptAt: Date.now(),
      refused,
      verdict:
        state === 'delivered'
          ? { state }
          : state === 'dead'
            ? { state, error: 'answered 410' }
            : { state, error: 'answered 404', dueAt: Date.now() + 3_600_000 },
    });

  test('that the sink refuses three times is a work item, recorded twice or not, and heals', async () => {
    const { eventId, fact } = await newDelivery();
    const item = () => own('organization', 'event_dead', fact);
    await record(eventId, 1, true, 'pending');
    await record(eventId, 1, true, 'pending');
    await record(eventId, 2, true, 'pending');
    await record(eventId, 3, false, 'pending');
    expect(await item()).toBeUndefined();
    await record(eventId, 4, true, 'pending');
    expect(await item()).toMatchObject({ state: 'open', reason: 'refused' });
    await record(eventId, 5, false, 'delivered');
    expect(await item()).toMatchObject({ state: 'closed', closedBy: 'system' });
  });

  test('that was given up is delivered by the answer', async () => {
    const { eventId, fact } = await newDelivery();
    await record(eventId, 1, false, 'dead');
    const { id } = (await own('organization', 'event_dead', fact))!;
    expect(await answer(id, 'redeliver')).toMatchObject({ status: 200 });
    await eventually(async () => {
      const [row] = await sql<{ state: string }[]>`
        select state from organization.event_delivery where event_id = ${eventId}
      `;
      return row!.state === 'delivered';
    });
  });
});

describe('an answer under way', () => {
  test('does not close what is reported anew meanwhile', async () => {
    const fact = randomUUID();
    const report = () =>
      sql.begin((sql) =>
        openWorkItem(sql, 'orchestrator', {
          kind: 'approval_failed',
          fact,
          reason: 'patient_details',
          references: { taskId: fact, reference: fact },
        }),
      );
    await report();
    const { id } = (await own('orchestrator', 'approval_failed', fact))!;
    const refused = await answer(id, 'approve_again');
    expect(refused).toMatchObject({ status: 409, body: { error: 'conflict', message: 'The task is gone' } });
    expect(await own('orchestrator', 'approval_failed', fact)).toMatchObject({ state: 'open' });
    expect(await answer(id, 'reroute', { pharmacy: 'nowhere' })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^data\.pharmacy: /) },
    });
  });

  test('gives way to another after a minute where no run carries it out', async () => {
    const fact = randomUUID();
    const references = { taskId: fact, reference: fact };
    await sql.begin((sql) =>
      openWorkItem(sql, 'orchestrator', { kind: 'approval_failed', fact, reason: 'payment', references }),
    );
    const { id } = (await own('orchestrator', 'approval_failed', fact))!;
    await eventually(async () => (await as(`/v1/work-items/${id}`)).status === 200);
    // As a process leaves it that is killed before it starts the run.
    const left = { answer: 'cancel', by: 'gone@clinic.test', note: null, changed: [] };
    expect(await claimAnswer(sql, id, left)).toMatchObject({ answering: 'cancel' });
    expect(await answer(id, 'dismiss')).toMatchObject({
      status: 409,
      body: { message: 'gone@clinic.test has answered cancel' },
    });
    await sql`update worklist.history set at = now() - interval '2 minutes' where item_id = ${id}`;
    expect(await answer(id, 'dismiss')).toMatchObject({
      status: 200,
      body: { workItem: { state: 'closed', answer: 'dismiss', closedBy: developmentSuperadmin.email } },
    });
    const { body } = await as<{ history: { action: string; answer: string | null }[] }>(
      `/v1/work-items/${id}`,
    );
    const answered = body.history.filter(({ action }) => action === 'answered');
    expect(answered.map(({ answer }) => answer)).toEqual(['cancel', 'dismiss']);
  });
});

describe('a shipment', () => {
  test('that failed gets the label of the address that was ordered, whatever the EMR has by then', async () => {
    const patient = await newPatient(dev, 'NY');
    const approval = semaglutideFor(patient.id);
    expect((await approve(dev, approval)).status).toBe(200);
    const { taskId } = approval;
    const shipTo = { addressLine1: '7 Elm Road', city: 'Troy', state: 'NY', zip: '12180' };
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_c', shipTo })).status).toBe(200);
    const submissionId = submissionIdOf(dev, `${taskId}#2`);
    // As if no answer about its label had come.
    await sql`delete from orchestrator.shipment where submission_id = ${submissionId}`;
    await sql.begin((sql) =>
      reportFailedShipment(sql, { submissionId, taskId, reason: 'unanswered', workflowId: '' }),
    );
    await changeInEmr(dev, patient, (record) => delete record.address);

    const { id } = (await own('orchestrator', 'shipment_failed', submissionId))!;
    expect(await answer(id, 'retry')).toMatchObject({ status: 200, body: { workItem: { state: 'closed' } } });
    await eventually(async () => {
      const [made] = await sql`select state from orchestrator.shipment where submission_id = ${submissionId}`;
      return made?.['state'] === 'label_created';
    });
    const labels = (await callsTo(dev, 'shipping')).filter(({ body }) => body['reference'] === submissionId);
    const { name, phone } = patient;
    const label = { status: 201, body: { recipient: { name, phone, line1: '7 Elm Road' } } };
    expect(labels).toMatchObject([label, label]);
  });

  test('that failed is no work item once its lost refill is cancelled, and no label is requested', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
    await checkRefills(dev, { scheduleIds: [id] });
    const taskId = `refill-${id}`;
    const order = await eventually(async () => (await booked(dev, `${taskId}-1`))[0]);
    const submissionId = submissionIdOf(dev, `${taskId}-1`);
    const failed = { submissionId, taskId, reason: 'unanswered' as const, workflowId: '' };
    const report = () => sql.begin((sql) => reportFailedShipment(sql, failed));
    await report();
    await atPharmacy(dev, order, 'forget', {});
    const { body } = await cancel(dev, { taskId, reason: 'Not needed' });
    expect(body.cancellation).toMatchObject({ state: 'approved' });
    const item = await own('orchestrator', 'shipment_failed', submissionId);
    expect(item).toMatchObject({ state: 'closed', closedBy: 'system' });

    // As if it had been reported while the order was being cancelled.
    await report();
    const retried = await call(dev, 'orchestrator', {
      key: 'worklist',
      method: 'POST',
      path: `/orchestrator/work-items/${item!.id}/answer`,
      body: { answer: 'retry', by: developmentSuperadmin.email },
    });
    expect(retried).toMatchObject({ status: 200, body: { reason: 'The order was cancelled or moved' } });
  });
});
