import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { adminToken, call, callAs, eventually, shared } from '../../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../../helpers/patients.js';
import { approve, callsTo, chargesOf, semaglutideFor, submissionIdOf } from '../approvals.js';
import {
  atPharmacy,
  booked,
  type BookedOrder,
  cancel,
  cancelMails,
  refundsOf,
  reroute,
  statusesOf,
} from '../exceptions.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from '../refills.js';
import { lost as lostParcel, replace, replacementsOf, shipped } from '../replacements.js';

interface Item {
  id: string;
  kind: string;
  reason: string;
  state: string;
  references: Record<string, string>;
  answers: string[];
  openedAt: string;
  dueAt: string;
  closedBy: string | null;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

/** A task that is approved and charged, its order at pharmacy_a. */
async function approved() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  const [order] = await booked(dev, taskId);
  return { patient, taskId, order: order! };
}
const forget = (order: BookedOrder) => atPharmacy(dev, order, 'forget', {});
const missing = (reference: string) =>
  call<{ found: boolean }>(dev, 'router', {
    key: 'orchestrator',
    method: 'POST',
    path: `/rx/prescriptions/${submissionIdOf(dev, reference)}/missing`,
  });
const itemsOf = async (taskId: string) => {
  const path = `/v1/work-items?taskId=${encodeURIComponent(taskId)}&kind=order_missing`;
  const { body } = await callAs<{ workItems: Item[] }>(dev, 'worklist', await adminToken(dev), { path });
  return body.workItems;
};
const openItem = (taskId: string) =>
  eventually(async () => (await itemsOf(taskId)).find(({ state }) => state === 'open'));
const closedItem = (taskId: string) =>
  eventually(async () => (await itemsOf(taskId)).find(({ state }) => state === 'closed'));
const answer = async ({ id }: Item, given: string, data?: object) =>
  callAs<{ workItem: Item; message: string }>(dev, 'worklist', await adminToken(dev), {
    method: 'POST',
    path: `/v1/work-items/${id}/answer`,
    body: { answer: given, data },
  });
/** Answers, and waits for the end; a busy service accepts the answer and continues by itself. */
async function decide(item: Item, given: string, data?: object): Promise<void> {
  const { status } = await answer(item, given, data);
  if (status === 200) return;
  expect(status).toBe(202);
  const path = `/v1/work-items/${item.id}`;
  await eventually(async () => {
    const { body } = await callAs<{ workItem: Item }>(dev, 'worklist', await adminToken(dev), { path });
    return body.workItem.state === 'closed';
  });
}
/** The item closes with the decision; a busy service orders after it. */
const ordered = (reference: string) =>
  eventually(async () => {
    const orders = await booked(dev, reference);
    return orders.length > 0 && orders;
  });
/** The order is lost, and a person can decide. */
async function lost() {
  const task = await approved();
  await forget(task.order);
  expect((await missing(task.taskId)).body.found).toBe(false);
  return { ...task, item: await openItem(task.taskId) };
}
const effectsOf = async ({ id }: Item) => {
  const path = `/v1/work-items/${id}`;
  const { body } = await callAs<{ effects: object }>(dev, 'worklist', await adminToken(dev), { path });
  return body.effects;
};
const schedulesOf = async ({ id }: { id: string }) =>
  (await schedulesAt(dev, `?emrPatientId=${id}`)).body.schedules.map(({ status }) => status);

describe('work item order_missing (D138)', () => {
  test('opens for our own task, is due in an hour, and names the order', async () => {
    const { taskId, item } = await lost();
    expect(item).toMatchObject({
      kind: 'order_missing',
      reason: 'not_found',
      answers: ['order_again', 'reroute', 'cancel', 'dismiss'],
      references: {
        taskId,
        reference: taskId,
        submissionId: submissionIdOf(dev, taskId),
        pharmacy: 'pharmacy_a',
      },
    });
    expect(Date.parse(item.dueAt) - Date.parse(item.openedAt)).toBe(3_600_000);
  });

  test('order_again: one order at the same pharmacy under the next number, looked for first, charged once', async () => {
    const { patient, taskId, order, item } = await lost();
    await decide(item, 'order_again');
    expect(await closedItem(taskId)).toMatchObject({ id: item.id, answer: 'order_again' });
    const [second, ...others] = await ordered(`${taskId}#2`);
    expect([second, others]).toMatchObject([{ pharmacy: order.pharmacy, moves: [] }, []]);
    expect(await booked(dev, taskId)).toMatchObject([{ forgotten: true }]);
    const looks = (await callsTo(dev, 'pharmacy_a')).filter(
      ({ operation, path, at }) =>
        operation === 'find' && path.includes(submissionIdOf(dev, taskId)) && at <= second!.at,
    );
    // The first is the report's; the second cancels by the reference.
    expect(looks).toHaveLength(2);
    expect([await chargesOf(dev, taskId), await refundsOf(dev, taskId)]).toMatchObject([[{}], []]);
    expect(await schedulesOf(patient)).toEqual(['active']);
    expect(await cancelMails(dev, patient)).toEqual([]);

    // The new order is the task's: a cancellation takes it back.
    expect((await cancel(dev, { taskId, reason: 'x' })).body.cancellation).toMatchObject({
      state: 'approved',
      refundedCents: 29_900,
    });
    expect(await statusesOf(dev, `${taskId}#2`)).toEqual(['cancelled']);
  });

  test('an order that is lost again is ordered again under the number after', async () => {
    const { taskId, item } = await lost();
    await decide(item, 'order_again');
    const [second] = await ordered(`${taskId}#2`);
    await forget(second!);
    expect((await missing(`${taskId}#2`)).body.found).toBe(false);
    await decide(await openItem(taskId), 'order_again');
    expect(await ordered(`${taskId}#3`)).toMatchObject([{ pharmacy: 'pharmacy_a' }]);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test('reroute: one order at the other pharmacy', async () => {
    const { taskId, item } = await lost();
    await decide(item, 'reroute', { pharmacy: 'pharmacy_b' });
    expect(await ordered(`${taskId}#2`)).toMatchObject([{ pharmacy: 'pharmacy_b', moves: [] }]);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test('cancel: refunded, refills end, and the patient is told once', async () => {
    const { patient, taskId, item } = await lost();
    await decide(item, 'cancel', { reason: 'Not needed' });
    await eventually(async () => (await refundsOf(dev, taskId)).length > 0);
    await eventually(async () => (await cancelMails(dev, patient)).length > 0);
    expect([await refundsOf(dev, taskId), await cancelMails(dev, patient)]).toMatchObject([[{}], [{}]]);
    expect(await schedulesOf(patient)).toEqual(['cancelled']);
    expect(await booked(dev, `${taskId}#2`)).toEqual([]);
  });

  test('closes by itself if the pharmacy has the order after all', async () => {
    const { taskId, order } = await lost();
    await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
      body: JSON.stringify({ caseId: order.orderId, rxStatus: 'processing' }),
    });
    expect(await closedItem(taskId)).toMatchObject({ closedBy: 'system' });
    // Lost once more, it is reported once more.
    expect((await missing(taskId)).body.found).toBe(false);
    await openItem(taskId);
  });

  test('opens for a refill too, which is ordered again under its own reference', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
    await checkRefills(dev);
    const reference = `refill-${id}-1`;
    const [order] = await eventually(async () => {
      const orders = await booked(dev, reference);
      return orders.length > 0 && orders;
    });
    await forget(order!);
    await missing(reference);
    const item = await openItem(`refill-${id}`);
    expect(item.references).toMatchObject({ taskId: `refill-${id}`, reference });
    await decide(item, 'order_again');
    expect(await ordered(`${reference}#2`)).toMatchObject([{ pharmacy: 'pharmacy_a' }]);
  });
});

describe('a replacement that the pharmacy does not have (D120, D138)', () => {
  /** A shipped order whose replacement, which the patient pays for, is lost. */
  async function lostReplacement() {
    const { patient, taskId } = await shipped(dev);
    const { body } = await replace(dev, lostParcel(taskId, { paidBy: 'patient', note: 'Called.' }));
    const { reference, submissionId } = body.replacement;
    const [order] = await booked(dev, reference);
    await forget(order!);
    expect((await missing(reference)).body.found).toBe(false);
    return { patient, taskId, reference, submissionId, item: await openItem(taskId) };
  }

  test('is a work item of its own, which offers no reroute', async () => {
    const { taskId, reference, submissionId, item } = await lostReplacement();
    expect(item).toMatchObject({
      reason: 'not_found',
      answers: ['order_again', 'cancel', 'dismiss'],
      references: { taskId, reference, submissionId, pharmacy: 'pharmacy_a' },
    });
    expect(await effectsOf(item)).toEqual({
      order_again: 'Orders the next replacement at Pharmacy A. Refunds $299.00 and charges for the new one.',
      cancel: 'Cancels the replacement only. Refunds $299.00. The task and its refills stay.',
      dismiss: 'Closes the item. Nothing else changes.',
    });
  });

  test('of which nothing was charged says that the next one may be', async () => {
    const { taskId } = await shipped(dev);
    const { body } = await replace(dev, lostParcel(taskId));
    const { reference } = body.replacement;
    const [order] = await booked(dev, reference);
    await forget(order!);
    expect((await missing(reference)).body.found).toBe(false);
    expect(await effectsOf(await openItem(taskId))).toMatchObject({
      order_again:
        'Orders the next replacement at Pharmacy A. Charges for it only if the patient was to pay for the missing one.',
      cancel: 'Cancels the replacement only. The task and its refills stay.',
    });
  });

  test('order_again: the next replacement, as the first was asked for, and one charge stays', async () => {
    const { taskId, reference, item } = await lostReplacement();
    await decide(item, 'order_again');
    expect(await closedItem(taskId)).toMatchObject({ id: item.id, answer: 'order_again' });
    expect(await replacementsOf(dev, taskId)).toMatchObject([
      { reference, state: 'cancelled' },
      {
        reference: `${taskId}~2`,
        state: 'ordered',
        reason: 'lost',
        paidBy: 'patient',
        pharmacy: 'pharmacy_a',
      },
    ]);
    expect(await booked(dev, `${taskId}~2`)).toHaveLength(1);
    expect([await chargesOf(dev, reference), await refundsOf(dev, reference)]).toMatchObject([[{}], [{}]]);
    expect([await chargesOf(dev, `${taskId}~2`), await refundsOf(dev, `${taskId}~2`)]).toMatchObject([
      [{}],
      [],
    ]);
    // The first order and its charge stay.
    expect([await chargesOf(dev, taskId), await refundsOf(dev, taskId)]).toMatchObject([[{}], []]);
  });

  test('order_again is refused for a patient who has left, and can be answered again', async () => {
    const { patient, taskId, item } = await lostReplacement();
    await changeInEmr(dev, patient, (record) => void (record.active = false));
    const { status, body } = await answer(item, 'order_again');
    expect([status, body]).toMatchObject([409, { message: expect.stringContaining('is inactive in EMR') }]);
    expect((await itemsOf(taskId)).map(({ state }) => state)).toEqual(['open']);
    await changeInEmr(dev, patient, (record) => void (record.active = true));
    await decide(item, 'order_again');
    expect(await booked(dev, `${taskId}~2`)).toHaveLength(1);
  });

  test('cancel: its own charge is refunded, and the task goes on', async () => {
    const { patient, taskId, reference, item } = await lostReplacement();
    await decide(item, 'cancel');
    await eventually(async () => (await refundsOf(dev, reference)).length > 0);
    expect(await replacementsOf(dev, taskId)).toMatchObject([{ state: 'cancelled' }]);
    expect([await refundsOf(dev, taskId), await schedulesOf(patient)]).toEqual([[], ['active']]);
  });

  test('that turns up after all closes its item', async () => {
    const { taskId, reference, item } = await lostReplacement();
    const [order] = await booked(dev, reference);
    await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
      body: JSON.stringify({ caseId: order!.orderId, rxStatus: 'processing' }),
    });
    expect(await closedItem(taskId)).toMatchObject({ id: item.id, closedBy: 'system' });
  });
});

describe('POST /orchestrator/reroute and cancel of an order that the pharmacy does not have', () => {
  test('reroute waits for the look, and takes the order as given back', async () => {
    const { taskId, order } = await approved();
    await forget(order);
    const { status, body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    expect([status, body]).toMatchObject([200, { reference: `${taskId}#2`, pharmacy: 'pharmacy_b' }]);
    expect(await booked(dev, `${taskId}#2`)).toHaveLength(1);
    const { body: record } = await call(dev, 'router', {
      key: 'orchestrator',
      path: `/rx/prescriptions/${submissionIdOf(dev, taskId)}`,
    });
    expect(record).toMatchObject({
      status: 'failed',
      errorMessage: 'The pharmacy does not have this order',
    });
    // Nothing is left for a person to decide.
    await eventually(async () => {
      const rows = await sql`
        select from router.event_delivery join router.outbox event on event.id = event_id
        where detail_type = 'order.missing' and event.aggregate_id = ${submissionIdOf(dev, taskId)}
          and state = 'delivered'
      `;
      return rows.length > 0;
    });
    expect(await itemsOf(taskId)).toEqual([]);
  });

  test('cancel waits for the look: approved, refunded, and the patient is told once', async () => {
    const { patient, taskId, order } = await approved();
    await forget(order);
    const { status, body } = await cancel(dev, { taskId, reason: 'Not needed' });
    expect([status, body.cancellation]).toMatchObject([
      200,
      { state: 'approved', reason: null, refundedCents: 29_900 },
    ]);
    await eventually(async () => (await cancelMails(dev, patient)).length > 0);
    expect([await refundsOf(dev, taskId), await cancelMails(dev, patient)]).toMatchObject([[{}], [{}]]);
    expect(await schedulesOf(patient)).toEqual(['cancelled']);
  });

  test('cancel is denied, and not asked again, if the look finds the order under the same id', async () => {
    const { taskId, order } = await approved();
    await atPharmacy(dev, order, 'cancellation', { answer: 'deny', reason: 'not-found' });
    expect((await cancel(dev, { taskId, reason: 'x' })).body.cancellation).toMatchObject({
      state: 'denied',
      reason: 'not_found',
      refundedCents: 0,
    });
    expect(await refundsOf(dev, taskId)).toEqual([]);
    const requests = (await callsTo(dev, 'pharmacy_a')).filter(
      ({ operation, path }) => operation === 'cancel' && path.includes(order.orderId),
    );
    expect(requests).toHaveLength(1);
  });

  test('reroute to the same pharmacy orders there again once the order is known to be missing', async () => {
    const { taskId, order } = await approved();
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_a' })).status).toBe(422);
    await forget(order);
    await missing(taskId);
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_a' })).body).toMatchObject({
      reference: `${taskId}#2`,
      pharmacy: 'pharmacy_a',
    });
    expect(await booked(dev, `${taskId}#2`)).toHaveLength(1);
  });
});
