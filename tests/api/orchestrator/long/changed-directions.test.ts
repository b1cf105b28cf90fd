import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { adminToken, call, callAs, eventually, shared } from '../../../helpers/client.js';
import { newPatient } from '../../../helpers/patients.js';
import { approve, callsTo, type Order, ordersOf, semaglutideFor, submissionIdOf } from '../approvals.js';
import { atPharmacy } from '../exceptions.js';
import { checkRefills, dayFromToday, type Schedule, schedulesAt } from '../refills.js';

const dev = shared();
const today = dayFromToday(0);
const directions = { sig: 'inject 5 units weekly', quantity: 1, daysSupply: 60 };
const asChanged = { dosage: directions.sig, quantity: 1, daysSupply: 60 };
const shipTo = {
  firstName: 'Ada',
  lastName: 'Test',
  phone: '2025550101',
  addressLine1: '2 Oak St',
  city: 'Houston',
  state: 'TX',
  zip: '77002',
};

let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

/** An approved prescription with its schedule of refills. */
async function approved() {
  const patient = await newPatient(dev, 'WA');
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const [schedule] = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body.schedules;
  return { taskId: approval.taskId, schedule: schedule! };
}
const scheduleNow = async ({ id }: Schedule) => (await schedulesAt(dev, `/${id}`)).body.schedule;

/** The pharmacy asks about the order of a reference, and our own key answers. */
async function answered(reference: string, changes: object, status = 200) {
  const [order] = await ordersOf(dev, reference);
  const holdId = await held(order!);
  const path = `/rx/prescriptions/${submissionIdOf(dev, reference)}/holds/${holdId}/answer`;
  const body = { answer: 'change', changes };
  const answer = await call(dev, 'router', { key: 'orchestrator', method: 'POST', path, body });
  expect([answer.status, answer.body]).toMatchObject([status, {}]);
  return holdId;
}
async function held(order: Order): Promise<string> {
  const id = `hold-${randomUUID()}`;
  await atPharmacy(dev, order, 'hold', { id, code: 'clarify-rx' });
  return id;
}
/** The answer of the last hold has reached the orchestrator, or concerns it not. */
const isTold = async (reference: string) => {
  const rows = await sql`
    select from router.event_delivery
    where aggregate_id = ${submissionIdOf(dev, reference)} and consumer = 'orchestrator' and state = 'pending'
  `;
  return rows.length === 0;
};
async function sendNext({ id }: Schedule) {
  const { refillsSent } = (await schedulesAt(dev, `/${id}`)).body.schedule;
  await sql`update orchestrator.refill_schedule set next_fill_date = ${today} where id = ${id}`;
  await checkRefills(dev);
  // A check of another test may send it.
  await eventually(async () => (await schedulesAt(dev, `/${id}`)).body.schedule.refillsSent > refillsSent);
}

describe('directions changed in the answer to a hold', () => {
  test('hold for the refills of the approval, and move the dates from the next fill on', async () => {
    const { taskId, schedule } = await approved();
    await answered(taskId, { ...directions, shipTo });
    const changed = await eventually(async () => {
      const now = await scheduleNow(schedule);
      return now.dosage !== null && now;
    });
    expect(changed).toMatchObject({ ...asChanged, nextFillDate: dayFromToday(27), shipTo: null });
    await sendNext(schedule);
    const [order] = await ordersOf(dev, `refill-${schedule.id}-1`);
    expect(order).toMatchObject({ body: { ...directions, shipTo: { line1: '18 Larch Lane' } } });
    expect(await scheduleNow(schedule)).toMatchObject({ ...asChanged, nextFillDate: dayFromToday(57) });
  });

  test('on the order of a refill hold for its schedule', async () => {
    const { schedule } = await approved();
    await sendNext(schedule);
    await answered(`refill-${schedule.id}-1`, { sig: directions.sig });
    await eventually(async () => (await scheduleNow(schedule)).dosage === directions.sig);
    expect(await scheduleNow(schedule)).toMatchObject({ quantity: 2, daysSupply: 30 });
    await sendNext(schedule);
    expect(await ordersOf(dev, `refill-${schedule.id}-2`)).toMatchObject([{ body: { sig: directions.sig } }]);
  });

  test('once only, or of the address only, leave the refills as they are; the pharmacy is not told of the once', async () => {
    const { taskId, schedule } = await approved();
    const holdId = await answered(taskId, { ...directions, onceOnly: true });
    await answered(taskId, { shipTo });
    await eventually(() => isTold(taskId));
    expect(await scheduleNow(schedule)).toEqual(schedule);
    const [given] = (await callsTo(dev, 'pharmacy_a')).filter(({ path }) => path.includes(holdId));
    expect(given?.body).toMatchObject({ answer: 'change', changes: directions });
    expect(given?.body['changes']).not.toHaveProperty('onceOnly');
    const path = `/rx/prescriptions/${submissionIdOf(dev, taskId)}`;
    const { body } = await call<{ amendments: unknown[] }>(dev, 'router', { key: 'orchestrator', path });
    expect(body.amendments).toMatchObject([{ changes: directions }, { changes: { shipTo } }]);
  });

  test('400 where once only is all that is said', async () => {
    const { taskId } = await approved();
    await answered(taskId, { onceOnly: true }, 400);
  });

  test('that the pharmacy refuses change nothing', async () => {
    const { taskId, schedule } = await approved();
    const id = submissionIdOf(dev, taskId);
    const [order] = await ordersOf(dev, taskId);
    const holdId = await held(order!);
    await sql`update router.submission set pharmacy_order_id = ${`${order!.orderId}-x`} where id = ${id}`;
    const path = `/rx/prescriptions/${id}/holds/${holdId}/answer`;
    const body = { answer: 'change', changes: directions };
    const answer = await call(dev, 'router', { key: 'orchestrator', method: 'POST', path, body });
    expect(answer.status).toBe(502);
    await sql`update router.submission set pharmacy_order_id = ${order!.orderId} where id = ${id}`;
    await eventually(() => isTold(taskId));
    expect(await scheduleNow(schedule)).toEqual(schedule);
  });

  test('appear by name in the timeline and in the history of the work item, without their values', async () => {
    const { taskId, schedule } = await approved();
    const [order] = await ordersOf(dev, taskId);
    await held(order!);
    const token = await adminToken(dev);
    const item = await eventually(async () => {
      const path = `/v1/work-items?kind=pharmacy_hold&taskId=${taskId}`;
      const { body } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, { path });
      return body.workItems[0];
    });
    const answer = await callAs(dev, 'worklist', token, {
      method: 'POST',
      path: `/v1/work-items/${item.id}/answer`,
      body: { answer: 'change', note: 'By phone', data: { changes: directions } },
    });
    expect(answer.status).toBe(200);
    const path = `/v1/work-items/${item.id}`;
    const { body } = await callAs<{ history: object[] }>(dev, 'worklist', token, { path });
    expect(body.history).toContainEqual(
      expect.objectContaining({
        action: 'answered',
        answer: 'change',
        note: 'By phone',
        changed: ['sig', 'quantity', 'daysSupply'],
      }),
    );
    await eventually(async () => (await scheduleNow(schedule)).dosage === directions.sig);
    await schedulesAt(dev, `/${schedule.id}`, { method: 'PATCH', body: { quantity: 3 } });
    const timeline = await call<{ entries: { text: string }[] }>(dev, 'orchestrator', {
      path: `/orchestrator/timeline/${taskId}`,
    });
    const texts = timeline.body.entries.map(({ text }) => text);
    expect(texts).toContain('The hold clarify_prescription was answered: change (daysSupply, quantity, sig)');
    expect(texts).toContain('The directions of the next refills changed: quantity');
    expect(texts.join()).not.toContain(directions.sig);
  });
});
