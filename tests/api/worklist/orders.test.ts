import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { cancelDunning } from '../../../db/orchestrator/dunning.js';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import type { AdminClaims } from '../../../platform/crypto/admin-token.js';
import {
  adminToken,
  atOnce,
  call,
  callAs,
  eventually,
  freshTask,
  patientIn,
  shared,
} from '../../helpers/client.js';
import { changeInEmr, newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { refusedPhone } from '../notification/notification.js';
import { approve, chargesOf, messagesTo, ordersOf, semaglutideFor } from '../orchestrator/approvals.js';
import { atPharmacy, booked, cancel, refundsOf } from '../orchestrator/exceptions.js';
import { newPlan, planNow } from '../orchestrator/plans.js';

const dev = shared();
let sql: Sql;
let token: string;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  token = await adminToken(dev);
});
afterAll(() => sql.end());

interface Action {
  action: string;
  title: string;
  effect: string;
  needs: string[];
  allowed: boolean;
  why: string | null;
}
interface Order {
  task: Record<string, unknown> & { refills: { id: string; status: string; nextFillDate: string } };
  context: Record<string, unknown>;
  timeline: { service: string; kind: string; text: string }[];
  actions: Action[];
  history: { at: string; actor: string; action: string; note: string | null }[];
}
type Acted = Record<string, unknown> & { message: string };

/** A service that a busy machine holds up counts as away: the desk answers 503 until it is back. */
const read = (taskId: string, as = token) =>
  eventually(async () => {
    const answer = await callAs<Order>(dev, 'worklist', as, {
      path: `/v1/orders/${encodeURIComponent(taskId)}`,
    });
    return answer.status !== 503 && answer;
  });
const act = (taskId: string, body: unknown, { as = token, key }: { as?: string; key?: string } = {}) =>
  callAs<Acted>(dev, 'worklist', as, {
    method: 'POST',
    path: `/v1/orders/${encodeURIComponent(taskId)}/actions`,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const actionOf = async (taskId: string, name: string) =>
  (await read(taskId)).body.actions.find(({ action }) => action === name)!;
const refused = (why: string) => ({ status: 409, body: { error: 'conflict', message: why } });
const note = 'The patient called';

async function approved(card?: string): Promise<{ taskId: string; patient: TestPatient }> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, card === undefined ? {} : { card });
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  return { taskId: approval.taskId, patient };
}
async function shipped() {
  const order = await approved();
  const [placed] = await ordersOf(dev, order.taskId);
  const trackingNumber = `1Z${randomUUID().slice(0, 12)}`;
  await atPharmacy(dev, placed!, 'status', { status: 'shipped', trackingNumber, carrier: 'UPS' });
  await eventually(async () => (await read(order.taskId)).body.task['orderStatus'] === 'shipped');
  return { ...order, trackingNumber };
}
const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

describe('GET /v1/orders/:taskId', () => {
  test('200: the task with its order, charge and refills, who and what, what happened, and what can be done', async () => {
    const { taskId, patient } = await approved();
    const { status, body } = await read(taskId);
    expect(status).toBe(200);
    expect(body.task).toEqual({
      taskId,
      medication: 'Semaglutide 5mg/mL',
      status: 'completed',
      pharmacy: 'Pharmacy A',
      orderStatus: 'submitted',
      tracking: null,
      payment: {
        status: 'succeeded',
        amountCents: 29_900,
        currency: 'usd',
        refundedCents: 0,
        leftCents: 29_900,
      },
      refills: expect.objectContaining({
        status: 'active',
        refillsSent: 0,
        totalRefillsAllowed: 3,
        shipTo: null,
      }),
      plan: null,
      replacements: [],
      cancellation: null,
    });
    expect(body.context).toMatchObject({
      patient: { name: patient.name, state: 'WA' },
      shipTo: { state: 'WA' },
    });
    expect(body.timeline.map(({ service }) => service)).toEqual(
      expect.arrayContaining(['orchestrator', 'router', 'notification']),
    );
    const verdicts = Object.fromEntries(body.actions.map(({ action, why }) => [action, why]));
    expect(verdicts).toEqual({
      cancel: null,
      reroute: null,
      replace: 'The order has not shipped',
      refund: null,
      charge_again: 'Payment is succeeded',
      send_again: null,
      skip: null,
      move: null,
      ship_to: null,
      pause: null,
      resume: 'Schedule is active',
      stop_refills: null,
    });
    expect(body.actions.every(({ allowed, why }) => allowed === (why === null))).toBe(true);
    expect(await actionOf(taskId, 'cancel')).toMatchObject({
      needs: ['note'],
      effect:
        'Asks Pharmacy A to cancel the order. If it does, $299.00 is refunded. If it does, 3 refills end.',
    });
  });

  test('The number of our own label is there before the pharmacy ships', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    expect((await approve(dev, approval)).status).toBe(200);
    const [label] = await sql<{ trackingNumber: string; carrier: string }[]>`
      select tracking_number, carrier from orchestrator.shipment where task_id = ${approval.taskId}
    `;
    expect(label).toEqual({ trackingNumber: expect.any(String), carrier: expect.any(String) });
    expect((await read(approval.taskId)).body.task['tracking']).toEqual(label);
  });

  test('200 for a schedule that has sent no refill: only its refills can be changed', async () => {
    const { id: emrPatientId } = await newPatient(dev, 'WA');
    const { body: made } = await call<{ schedule: { id: string } }>(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/refill-schedules',
      body: { emrPatientId, medication: 'semaglutide', totalRefillsAllowed: 2 },
    });
    const { status, body } = await read(`refill-${made.schedule.id}`);
    expect([status, body.task['status'], body.timeline]).toEqual([200, null, []]);
    const allowed = body.actions.filter(({ allowed }) => allowed).map(({ action }) => action);
    expect(allowed).toEqual(['skip', 'move', 'ship_to', 'pause', 'stop_refills']);
  });

  test('200 for a plan: the medication and the charge of its newest order, whose cancellation ends no fill', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const phases = [
      { medication: 'semaglutide', fills: 1 },
      { medication: 'tirzepatide', fills: 5 },
    ];
    const { id } = await newPlan({ emrPatientId: patient.id, phases });
    const cancelling = 'Asks Pharmacy A to cancel the order. If it does, $299.00 is refunded.';
    await eventually(async () => {
      const isSent = (await planNow({ id })).fillsSent === 1;
      return isSent && (await actionOf(`refill-${id}`, 'cancel')).effect === cancelling;
    });
    const { body } = await read(`refill-${id}`);
    expect(body.context).toMatchObject({ medication: 'Semaglutide 5mg/mL', amountCents: 29_900 });
    expect((await act(`refill-${id}`, { action: 'cancel', note })).body).toMatchObject({
      cancellation: { state: 'approved', refundedCents: 29_900, refillsCancelled: 0 },
    });
    expect(await planNow({ id })).toMatchObject({ fillsSent: 0, stoppedBecause: null });
  });

  test('200 for an approval that failed: an order can be cancelled or moved only where one may exist', async () => {
    const whysOf = async (approval: { taskId: string }) => {
      expect((await approve(dev, approval)).status).toBe(500);
      const { status, body } = await read(approval.taskId);
      expect([status, body.task['status']]).toEqual([200, 'failed']);
      const changes = ['cancel', 'reroute'];
      return body.actions.flatMap(({ action, why }) => (changes.includes(action) ? [why] : []));
    };
    const { id } = await newPatient(dev, 'WA');
    const before = { ...semaglutideFor(id), medication: 'nothing' };
    expect(await whysOf(before)).toEqual(['There is no order to cancel', 'There is no order to move']);
    // Step 4 failed: a pharmacy can still be named for it.
    const unserved = semaglutideFor(patientIn(dev, 'CA'));
    expect(await whysOf(unserved)).toEqual(['There is no order to cancel', null]);
    expect((await cancel(dev, { taskId: unserved.taskId, reason: note })).status).toBe(409);
    // An outage of our own says nothing about an order.
    await sql`
      update orchestrator.work_item set reason = 'internal'
      where kind = 'approval_failed' and fact = ${unserved.taskId}
    `;
    expect((await actionOf(unserved.taskId, 'cancel')).why).toBeNull();
  });

  test('200 for the reference of a moved order or a replacement: its task, which can be acted on', async () => {
    const { taskId: replaced } = await shipped();
    const lost = { action: 'replace', data: { reason: 'lost', paidBy: 'carrier' }, note };
    expect((await act(replaced, lost)).status).toBe(200);
    const { taskId: moved } = await approved();
    const reroute = { action: 'reroute', data: { pharmacy: 'pharmacy_c' } };
    expect((await act(moved, reroute)).status).toBe(200);
    const references = { [`${replaced}~1`]: replaced, [`${moved}#2`]: moved };
    for (const [reference, taskId] of Object.entries(references)) {
      const { status, body } = await read(reference);
      expect([status, body.task['taskId']]).toEqual([200, taskId]);
      expect(body.timeline.map(({ kind }) => kind)).toContain('run');
      expect((await act(reference, { action: 'pause' })).status).toBe(200);
      expect((await read(taskId)).body.task.refills.status).toBe('paused');
    }
  });

  test('404 for an unknown task, and for the task of a client that is not named', async () => {
    expect((await read(freshTask())).status).toBe(404);
    const { taskId } = await approved();
    const path = `/v1/orders/${taskId}?client=somebody`;
    expect((await callAs(dev, 'worklist', token, { path })).status).toBe(404);
    expect((await act(freshTask(), { action: 'pause' })).status).toBe(404);
  });

  test('The access events of both services name the task, and the orchestrator the person', async () => {
    const { taskId } = await approved();
    await read(taskId);
    await act(taskId, { action: 'pause' });
    const events = await sql<{ actor: string; action: string; onBehalfOf: string | null }[]>`
      select actor, action, on_behalf_of from access.access_event
      where record = ${taskId} or (action = 'refill.pause' and on_behalf_of = ${developmentSuperadmin.email})
    `;
    const workers = dev.apiKeys['worklist']!.key;
    expect(events).toEqual(
      expect.arrayContaining([
        { actor: developmentSuperadmin.id, action: 'order.read', onBehalfOf: null },
        { actor: workers, action: 'order.read', onBehalfOf: null },
        { actor: developmentSuperadmin.id, action: 'order.act', onBehalfOf: null },
        { actor: workers, action: 'refill.pause', onBehalfOf: developmentSuperadmin.email },
      ]),
    );
  });
});

describe('POST /v1/orders/:taskId/actions', () => {
  test('cancel: 400 without a note; with one the order is cancelled and refunded, and nothing is left to do', async () => {
    const { taskId } = await approved();
    const without = await act(taskId, { action: 'cancel' });
    expect(without).toMatchObject({ status: 400, body: { details: [{ path: 'note' }] } });
    const { status, body } = await act(taskId, { action: 'cancel', note });
    expect([status, body]).toMatchObject([
      200,
      {
        success: true,
        taskId,
        cancellation: { state: 'approved', refundedCents: 29_900, refillsCancelled: 3 },
      },
    ]);
    expect(await refundsOf(dev, taskId)).toHaveLength(1);
    for (const action of ['cancel', 'reroute', 'replace'])
      expect(await act(taskId, { action, note })).toMatchObject(refused('Task was cancelled'));
    expect(await act(taskId, { action: 'refund', note })).toMatchObject(refused('Nothing to refund'));
    expect(await act(taskId, { action: 'skip' })).toMatchObject(refused('Schedule is cancelled'));
    expect((await read(taskId)).body.task).toMatchObject({ cancellation: { state: 'approved' } });
  });

  test('reroute: 400 at data.pharmacy for an unknown one, then the order moves', async () => {
    const { taskId } = await approved();
    const unknown = await act(taskId, { action: 'reroute', data: { pharmacy: 'pharmacy_z' } });
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'data.pharmacy' }] } });
    const { status, body } = await act(taskId, { action: 'reroute', data: { pharmacy: 'pharmacy_c' } });
    expect([status, body]).toMatchObject([200, { pharmacy: 'pharmacy_c', reference: `${taskId}#2` }]);
    expect((await read(taskId)).body.task['pharmacy']).toBe('Pharmacy C');
  });

  test('replace: refused until the order has shipped, then one however often it is sent under one key', async () => {
    const { taskId, trackingNumber } = await shipped();
    expect((await read(taskId)).body.task['tracking']).toMatchObject({ trackingNumber });
    const lost = { action: 'replace', data: { reason: 'lost', paidBy: 'carrier' }, note };
    const key = freshTask();
    const answers = await atOnce(3, () => act(taskId, lost, { key }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await act(taskId, lost)).toMatchObject(refused('A replacement is under way'));
    expect((await act(taskId, lost, { key })).headers.get('idempotent-replayed')).toBe('true');
    expect(await booked(dev, `${taskId}~1`)).toHaveLength(1);
    const [again] = await sql<{ note: string; requestedBy: string }[]>`
      select note, requested_by from orchestrator.replacement where task_id = ${taskId}
    `;
    expect(again).toEqual({ note, requestedBy: developmentSuperadmin.email });
  });

  test('refund: a part, once for each key; more than is left is 409 with what is left', async () => {
    const { taskId } = await approved();
    const part = { action: 'refund', data: { amountCents: 5_000 }, note };
    const key = freshTask();
    const answers = await atOnce(3, () => act(taskId, part, { key }));
    expect(answers.map(({ body }) => body['refund'])).toEqual(
      Array.from({ length: 3 }, () => ({ amountCents: 5_000, refundedCents: 5_000, state: 'succeeded' })),
    );
    expect(await act(taskId, { ...part, data: { amountCents: 24_901 } })).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'More than is left', leftCents: 24_900 },
    });
    expect((await act(taskId, { action: 'refund', note })).body['refund']).toMatchObject({
      refundedCents: 29_900,
    });
    expect(await act(taskId, part)).toMatchObject(refused('Nothing to refund'));
    expect((await act(taskId, part, { key })).body['refund']).toMatchObject({ amountCents: 5_000 });
    expect(await refundsOf(dev, taskId)).toHaveLength(2);
  });

  test('charge_again: a declined charge is tried once for each key', async () => {
    const { taskId, patient } = await approved('pm_card_chargeCustomerFail');
    expect((await read(taskId)).body.task['payment']).toMatchObject({ status: 'failed', leftCents: 0 });
    const key = freshTask();
    const first = await act(taskId, { action: 'charge_again' }, { key });
    expect([first.status, first.body['payment']]).toMatchObject([200, { status: 'failed' }]);
    await saveCard(dev, patient);
    expect((await act(taskId, { action: 'charge_again' }, { key })).body['payment']).toMatchObject({
      status: 'failed',
    });
    expect(await chargesOf(dev, taskId)).toEqual([]);
    const second = await act(taskId, { action: 'charge_again' });
    expect([second.status, second.body['payment']]).toMatchObject([200, { status: 'succeeded' }]);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect(await act(taskId, { action: 'charge_again' })).toMatchObject(refused('Payment is succeeded'));
  });

  test('charge_again: refused once the charge was waived, and no card is charged', async () => {
    const { taskId, patient } = await approved('pm_card_chargeCustomerFail');
    await sql.begin((sql) => cancelDunning(sql, taskId));
    await saveCard(dev, patient);
    expect(await act(taskId, { action: 'charge_again' })).toMatchObject(refused('The charge was waived'));
    const path = `/orchestrator/payments/${taskId}/retry`;
    const retried = await call(dev, 'orchestrator', { method: 'POST', path });
    expect([retried.status, retried.body]).toEqual([409, { error: 'The charge was waived' }]);
    expect(await chargesOf(dev, taskId)).toEqual([]);
  });

  test('send_again: the last message goes out once for each key, to the contact of now, and the timeline has it', async () => {
    const { taskId, patient } = await approved();
    expect((await actionOf(taskId, 'send_again')).effect).toContain('(prescription approved)');
    const moved = { ...patient, email: `new.${patient.email}` };
    await changeInEmr(dev, patient, (record) => {
      record.telecom = [{ system: 'email', value: moved.email }];
    });
    const key = freshTask();
    const answers = await atOnce(3, () => act(taskId, { action: 'send_again' }, { key }));
    answers.push(await act(taskId, { action: 'send_again' }, { key }));
    const email = { channel: 'email', status: 'sent' };
    const notice = { type: 'prescription_approved', channels: [email] };
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { success: true, taskId, notice }]);
    expect(answers.at(-1)!.headers.get('idempotent-replayed')).toBe('true');
    const mailsTo = async (address: string) =>
      (await messagesTo(dev, { ...patient, email: address })).filter(({ channel }) => channel === 'email');
    expect((await mailsTo(moved.email)).map(({ text }) => text)).toEqual([
      expect.stringContaining('Pharmacy A'),
    ]);
    expect(await mailsTo(patient.email)).toHaveLength(1);
    expect((await act(taskId, { action: 'send_again' })).status).toBe(200);
    expect(await mailsTo(moved.email)).toHaveLength(2);
    const told = (await read(taskId)).body.timeline.filter(({ kind }) => kind === 'message');
    expect(told).toHaveLength(3);
  });

  test('send_again: 502 where nothing reaches the patient, 409 without a contact, and for a schedule of which nobody was told', async () => {
    const { taskId, patient } = await approved();
    await changeInEmr(dev, patient, (record) => {
      record.telecom = [{ system: 'phone', use: 'mobile', value: refusedPhone }];
    });
    expect(await act(taskId, { action: 'send_again' })).toMatchObject({
      status: 502,
      body: { error: 'not_delivered' },
    });
    await changeInEmr(dev, patient, (record) => {
      delete record.telecom;
    });
    expect(await act(taskId, { action: 'send_again' })).toMatchObject(
      refused('The patient has no usable e-mail address or phone'),
    );
    const body = { emrPatientId: patient.id, medication: 'semaglutide', totalRefillsAllowed: 2 };
    const made = await call<{ schedule: { id: string } }>(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/refill-schedules',
      body,
    });
    const { allowed, why } = await actionOf(`refill-${made.body.schedule.id}`, 'send_again');
    expect([allowed, why]).toEqual([false, 'The patient was told nothing yet']);
  });

  test('The notes of all actions stay with the order, also where the route takes no reason; a refused one leaves none', async () => {
    const { taskId } = await approved();
    const reroute = { action: 'reroute', data: { pharmacy: 'pharmacy_c' }, note: 'A has none left' };
    const key = freshTask();
    for (const options of [{ key }, { key }]) expect((await act(taskId, reroute, options)).status).toBe(200);
    expect((await act(taskId, { action: 'pause', note: 'On holiday' })).status).toBe(200);
    expect((await act(taskId, { action: 'pause', note: 'Twice' })).status).toBe(409);
    const tooMuch = { action: 'refund', data: { amountCents: 99_999 }, note: 'Too much' };
    expect((await act(taskId, tooMuch)).status).toBe(409);
    const actor = developmentSuperadmin.email;
    const at = expect.any(String);
    expect((await read(taskId)).body.history).toEqual([
      { at, actor, action: 'reroute', note: 'A has none left' },
      { at, actor, action: 'pause', note: 'On holiday' },
    ]);
  });

  test('skip, move, ship_to, pause, resume and stop_refills change the schedule, each once for its key', async () => {
    const { taskId } = await approved();
    const { refills } = (await read(taskId)).body.task;
    const changed = async (body: object, key = freshTask()) => {
      const [first, second] = await atOnce(2, () => act(taskId, body, { key }));
      const third = await act(taskId, body, { key });
      expect([first!.status, second!.status, third.status]).toEqual([200, 200, 200]);
      expect(third.headers.get('idempotent-replayed')).toBe('true');
      return third.body['schedule'] as Record<string, unknown>;
    };
    expect(await changed({ action: 'skip', note: 'On holiday' })).toMatchObject({
      id: refills.id,
      skipped: 1,
      nextFillDate: addDays(refills.nextFillDate, 30),
    });
    const nextFillDate = addDays(refills.nextFillDate, 7);
    expect(await changed({ action: 'move', data: { nextFillDate } })).toMatchObject({ nextFillDate });
    const tooSoon = await act(taskId, {
      action: 'move',
      data: { nextFillDate: addDays(refills.nextFillDate, -25) },
    });
    expect(tooSoon).toMatchObject({ status: 409, body: { error: 'conflict', message: 'Too soon' } });
    const shipTo = { addressLine1: '5 Elm Row', city: 'Sampleton', state: 'WA', zip: '98101' };
    expect(await changed({ action: 'ship_to', data: { shipTo, fills: 2 } })).toMatchObject({
      shipTo: { addressLine1: '5 Elm Row', fillsLeft: 2 },
    });
    expect((await read(taskId)).body.task.refills).toMatchObject({ shipTo: { addressLine1: '5 Elm Row' } });
    const pauseKey = freshTask();
    expect(await changed({ action: 'pause' }, pauseKey)).toMatchObject({ status: 'paused' });
    expect(await act(taskId, { action: 'pause' })).toMatchObject(refused('Schedule is paused'));
    expect(await act(taskId, { action: 'resume' }, { key: pauseKey })).toMatchObject({ status: 409 });
    expect(await changed({ action: 'resume' })).toMatchObject({ status: 'active' });
    expect(await changed({ action: 'stop_refills' })).toMatchObject({ status: 'cancelled' });
    expect(await act(taskId, { action: 'pause' })).toMatchObject(refused('Schedule is cancelled'));
    const requests = await sql<{ text: string }[]>`
      select coalesce(answer, '') as text from orchestrator.keyed_request
    `;
    expect(requests.filter(({ text }) => text.includes('Elm Row'))).toEqual([]);
  });

  test('data that names another task or person changes nothing about either', async () => {
    const [mine, other] = [await approved(), await approved()];
    const data = { taskId: other.taskId, onBehalfOf: 'somebody@example.test', amountCents: 100 };
    expect((await act(mine.taskId, { action: 'refund', data, note })).status).toBe(200);
    expect(await refundsOf(dev, mine.taskId)).toHaveLength(1);
    expect(await refundsOf(dev, other.taskId)).toEqual([]);
    const [made] = await sql<{ requestedBy: string }[]>`
      select requested_by from orchestrator.part_refund where reference = ${mine.taskId}
    `;
    expect(made!.requestedBy).toBe(developmentSuperadmin.email);
  });

  test('400 for an unknown action, and for a misspelt field of the body', async () => {
    const { taskId } = await approved();
    expect((await act(taskId, { action: 'explode' })).status).toBe(400);
    expect(await act(taskId, { action: 'pause', nte: 'x' })).toMatchObject({ status: 400 });
  });
});

describe('roles', () => {
  const roleIn = (orgId: string, role: AdminClaims['memberships'][number]['role']) =>
    adminToken(dev, { sub: randomUUID(), memberships: [{ orgId, role }] });

  test('Members read the orders of their patients, support without who and where, and an org_admin acts', async () => {
    const { taskId, patient } = await approved();
    const [orgId, elsewhere] = [randomUUID(), randomUUID()];
    const mrn = randomUUID()
      .replaceAll('-', '')
      .slice(0, 10)
      .toUpperCase()
      .replace(/[ILOU]/g, 'X');
    await sql`
      insert into patients.patient_directory (id, mrn, organization_id, emr_patient_id)
      values (${randomUUID()}, ${mrn}, ${orgId}, ${patient.id})
    `;
    const support = await read(taskId, await roleIn(orgId, 'support'));
    expect([support.status, support.body.context]).toMatchObject([200, { patient: null, shipTo: null }]);
    const user = await read(taskId, await roleIn(orgId, 'org_user'));
    expect([user.status, user.body.context]).toMatchObject([200, { patient: { name: patient.name } }]);
    expect((await read(taskId, await roleIn(elsewhere, 'org_admin'))).status).toBe(404);
    const pause = (as: string) => act(taskId, { action: 'pause' }, { as });
    expect((await pause(await roleIn(orgId, 'support'))).status).toBe(403);
    expect((await pause(await roleIn(orgId, 'org_user'))).status).toBe(403);
    expect((await pause(await roleIn(elsewhere, 'org_admin'))).status).toBe(404);
    expect((await pause(await roleIn(orgId, 'org_admin'))).status).toBe(200);
  });

  test('An operator reads and acts everywhere, an admin without a role nowhere', async () => {
    const { taskId, patient } = await approved();
    const operator = await adminToken(dev, { sub: randomUUID(), isOperator: true });
    expect((await read(taskId, operator)).body.context).toMatchObject({ patient: { name: patient.name } });
    expect((await act(taskId, { action: 'pause' }, { as: operator })).status).toBe(200);
    const nobody = await adminToken(dev, { sub: randomUUID() });
    expect((await read(taskId, nobody)).status).toBe(404);
    expect((await act(taskId, { action: 'resume' }, { as: nobody })).status).toBe(404);
  });
});
