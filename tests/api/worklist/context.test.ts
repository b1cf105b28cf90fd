import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { adminToken, call, callAs, eventually, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { approve, ordersOf, semaglutideFor, submissionIdOf } from '../orchestrator/approvals.js';
import { atPharmacy, reroute } from '../orchestrator/exceptions.js';
import { newPlan, planNow } from '../orchestrator/plans.js';
import { checkRefills, dayFromToday, newSchedule } from '../orchestrator/refills.js';
import { refundPart } from '../orchestrator/refunds.js';
import { lost, replace, shipped } from '../orchestrator/replacements.js';

const dev = shared();

interface One {
  context: Record<string, unknown>;
  effects: Record<string, string>;
}
const read = (id: string, token: string) =>
  callAs<One>(dev, 'worklist', token, { path: `/v1/work-items/${id}` });

/** A hold with a question about an order that was paid. */
async function held() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await ordersOf(dev, approval.taskId);
  const message = 'Once a day or once a week?';
  await atPharmacy(dev, order!, 'hold', { id: randomUUID(), code: 'clarify-rx', message });
  const token = await adminToken(dev);
  const item = await eventually(async () => {
    const path = `/v1/work-items?kind=pharmacy_hold&taskId=${approval.taskId}`;
    const { body } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, { path });
    return body.workItems[0];
  });
  return { id: item.id, taskId: approval.taskId, token, patient };
}

test('The context of a hold says who, what, where to and what the pharmacy asks, and each answer what it will do', async () => {
  const { id, token } = await held();
  const { status, body } = await read(id, token);
  expect(status).toBe(200);
  expect(body.context).toEqual({
    patient: { name: expect.any(String), state: 'WA' },
    medication: 'Semaglutide 5mg/mL',
    directions: 'inject 10 units (0.25mg) SQ weekly',
    quantity: 2,
    daysSupply: 30,
    shipTo: expect.objectContaining({ state: 'WA', addressLine1: expect.any(String) }),
    pharmacy: 'Pharmacy A',
    question: 'Once a day or once a week?',
    amountCents: 29_900,
    callbackUrl: expect.stringContaining('http'),
    lastError: null,
  });
  expect(Object.keys(body.effects).sort()).toEqual(['cancel', 'change', 'decline', 'proceed', 'reroute']);
  expect(body.effects['cancel']).toBe(
    'Asks Pharmacy A to cancel the order. If it does, $299.00 is refunded. If it does, 3 refills end.',
  );
  expect(body.effects['change']).toBe(
    'Sends the changed fields to Pharmacy A, which continues with them. Later refills follow new directions, quantity and days too, unless they are for this order only.',
  );
  const answer = { answer: 'proceed' };
  const path = `/v1/work-items/${id}/answer`;
  expect((await callAs(dev, 'worklist', token, { method: 'POST', path, body: answer })).status).toBe(200);
  await eventually(async () => Object.keys((await read(id, token)).body.effects).length === 0 || undefined);
});

test('The context of a moved order has the amount of its task', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_b' })).status).toBe(200);
  const path = `/orchestrator/work-items/context/${encodeURIComponent(`${taskId}#2`)}`;
  const { body } = await call<One>(dev, 'orchestrator', { key: 'worklist', path });
  expect(body.context).toMatchObject({ amountCents: 29_900 });
});

test('The context of a moved refill has the days of its schedule', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const due = { emrPatientId: patient.id, daysSupply: 56, nextFillDate: dayFromToday(0) };
  const { id } = await newSchedule(dev, due);
  await checkRefills(dev, { scheduleIds: [id] });
  await eventually(async () => (await ordersOf(dev, `refill-${id}-1`)).length > 0);
  const moved = await reroute(dev, { taskId: `refill-${id}`, pharmacy: 'pharmacy_b' });
  expect([moved.status, moved.body.reference]).toEqual([200, `refill-${id}-1#2`]);
  const path = `/orchestrator/work-items/context/${encodeURIComponent(moved.body.reference)}`;
  const { body } = await call<One>(dev, 'orchestrator', { key: 'worklist', path });
  expect(body.context).toMatchObject({ daysSupply: 56, amountCents: 29_900 });
});

test('The context of a replacement has its own order and charge, and no refills', async () => {
  const { taskId } = await shipped(dev);
  expect((await replace(dev, lost(taskId, { paidBy: 'patient' }))).status).toBe(200);
  expect((await refundPart(taskId, 5_000)).status).toBe(200);
  const reference = `${taskId}~1`;
  const path = `/orchestrator/work-items/context/${encodeURIComponent(reference)}`;
  const { body } = await call<One>(dev, 'orchestrator', { key: 'worklist', path });
  expect(body).toMatchObject({
    submissionId: submissionIdOf(dev, reference),
    leftCents: 29_900,
    refillsLeft: 0,
    context: { patient: { state: 'WA' }, medication: 'Semaglutide 5mg/mL', amountCents: 29_900 },
  });
});

test('The context of a plan has the days that its next fill is for, whatever was sent last', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const phases = [
    { medication: 'semaglutide', fills: 1 },
    { medication: 'tirzepatide', fills: 2, daysSupply: 56 },
  ];
  const { id } = await newPlan({ emrPatientId: patient.id, phases });
  await eventually(async () => (await planNow({ id })).fillsSent === 1);
  const ofFill = (fill: string) => {
    const path = `/orchestrator/work-items/context/refill-${id}?fill=${fill}`;
    return call<One>(dev, 'orchestrator', { key: 'worklist', path });
  };
  const { body } = await ofFill('next');
  expect(body).toMatchObject({
    submissionId: null,
    refillsLeft: 2,
    context: { medication: expect.stringContaining('Tirzepatide'), daysSupply: 56, amountCents: null },
  });
  expect((await ofFill('last')).status).toBe(400);
});

test.each([
  ['router', '/rx/work-items/context/'],
  ['orchestrator', '/orchestrator/work-items/context/'],
] as const)(
  '403 at the %s for a key without the scope worklist, 404 for what does not exist',
  async (service, path) => {
    const at = (key: string) => call(dev, service, { key, method: 'GET', path: path + randomUUID() });
    expect((await at('clinic')).status).toBe(403);
    expect((await at('worklist')).status).toBe(404);
  },
);
