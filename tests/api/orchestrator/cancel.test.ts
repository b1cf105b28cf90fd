import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, call, eventually, freshTask, shared } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { approve, chargesOf, runsOf, semaglutideFor, submissionIdOf } from './approvals.js';
import { atPharmacy, booked, cancel, cancelMails, refundsOf, statusesOf } from './exceptions.js';
import { checkRefills, newSchedule, dayFromToday, schedulesAt } from './refills.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

const nothing = { reason: null, refundedCents: 0, refillsCancelled: 0, replacementsCancelled: 0 };
const reason = 'Prescribed twice.';

/** A patient with a card whose task is approved. */
async function approved(state = 'WA', card?: string) {
  const patient = await newPatient(dev, state);
  if (card !== 'none') await saveCard(dev, patient, card === undefined ? {} : { card });
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await booked(dev, approval.taskId);
  return { patient, approval, taskId: approval.taskId, order: order! };
}
const told = (patient: TestPatient) => eventually(async () => (await cancelMails(dev, patient))[0]);
const cancellationOf = async (taskId: string) =>
  (await runsOf(dev, taskId)).map((run) => (run as unknown as { cancellation: unknown }).cancellation);
const refillsOf = async ({ id }: TestPatient) =>
  (await schedulesAt(dev, `?emrPatientId=${id}`)).body.schedules.map(({ status }) => status);

describe('POST /orchestrator/cancel', () => {
  test.each([['WA'], ['TX'], ['NY']])(
    '200 approved (%s): the order is given back, the charge refunded once, the refills end, the patient is told once, and the task stays cancelled',
    async (state) => {
      const { patient, approval, taskId } = await approved(state);
      const cancellation = { ...nothing, state: 'approved', refundedCents: 29_900, refillsCancelled: 3 };
      const { status, headers, body } = await cancel(dev, { taskId, reason });
      expect([status, body]).toEqual([200, { success: true, taskId, cancellation }]);
      expect(headers.get('idempotent-replayed')).toBeNull();
      expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
      expect(await refundsOf(dev, taskId)).toMatchObject([
        { amountCents: 29_900, status: 'succeeded', idempotencyKey: `refund:charge:${taskId}:1` },
      ]);
      expect(await refillsOf(patient)).toEqual(['cancelled']);
      expect((await told(patient)).text).toContain(reason);
      expect(await cancellationOf(taskId)).toEqual([cancellation]);

      const repeat = await cancel(dev, { taskId, reason: 'another' });
      expect([repeat.status, repeat.body]).toEqual([200, body]);
      expect(repeat.headers.get('idempotent-replayed')).toBe('true');
      const again = await approve(dev, approval);
      expect([again.status, again.body]).toEqual([409, { error: 'Task was cancelled' }]);
      expect(await booked(dev, taskId)).toHaveLength(1);
      expect(await refundsOf(dev, taskId)).toHaveLength(1);
      expect(await cancelMails(dev, patient)).toHaveLength(1);
    },
  );

  test('200 denied for an order that has shipped: nothing is undone, and a new request asks again', async () => {
    const { patient, taskId, order } = await approved();
    await atPharmacy(dev, order, 'cancellation', { answer: 'deny', reason: 'already-shipped' });
    const cancellation = { ...nothing, state: 'denied', reason: 'already_shipped' };
    for (const turn of [1, 2]) {
      const { status, body } = await cancel(dev, { taskId, reason });
      expect([turn, status, body]).toEqual([turn, 200, { success: true, taskId, cancellation }]);
    }
    expect(await cancellationOf(taskId)).toEqual([cancellation]);
    expect(await refundsOf(dev, taskId)).toEqual([]);
    expect(await refillsOf(patient)).toEqual(['active']);
    await atPharmacy(dev, order, 'cancellation', { answer: 'approve' });
    expect((await cancel(dev, { taskId, reason })).body.cancellation).toMatchObject({ state: 'approved' });
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
  });

  test('200 approved for an order that the pharmacy has under another id: the look finds it, and it is asked for once more', async () => {
    const { taskId, order } = await approved();
    await sql`
      update router.submission set pharmacy_order_id = ${randomUUID()} where pharmacy_order_id = ${order.orderId}
    `;
    const { status, body } = await cancel(dev, { taskId, reason });
    expect([status, body.cancellation]).toMatchObject([200, { state: 'approved', refundedCents: 29_900 }]);
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
  });

  test('200 for each of ten at once: one cancellation, one refund, one mail', async () => {
    const { patient, taskId } = await approved();
    const answers = await atOnce(10, () => cancel(dev, { taskId, reason }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.cancellation.refundedCents))).toEqual(new Set([29_900]));
    await told(patient);
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
    expect(await refundsOf(dev, taskId)).toHaveLength(1);
    expect(await cancelMails(dev, patient)).toHaveLength(1);
  });

  test('200 where the charge was declined: nothing is refunded, and nothing is charged any more', async () => {
    const { taskId } = await approved('WA', 'pm_card_chargeCustomerFail');
    const { body } = await cancel(dev, { taskId, reason });
    expect(body.cancellation).toEqual({ ...nothing, state: 'approved', refillsCancelled: 3 });
    const path = `/orchestrator/payments/${taskId}/retry`;
    const retried = await call(dev, 'orchestrator', { method: 'POST', path });
    expect([retried.status, retried.body]).toEqual([409, { error: 'Task was cancelled' }]);
    expect(await chargesOf(dev, taskId)).toEqual([]);
    const recovery = await sql`select state from orchestrator.payment_recovery where reference = ${taskId}`;
    expect(recovery).toEqual([{ state: 'cancelled' }]);
  });

  test('an order that somebody cancelled at the router is cancelled by the clinic for the patient', async () => {
    const { patient, taskId } = await approved();
    const path = `/rx/prescriptions/${submissionIdOf(dev, taskId)}/cancel`;
    const { status } = await call(dev, 'router', { key: 'orchestrator', method: 'POST', path });
    expect(status).toBe(200);
    expect((await told(patient)).text).toContain('Cancelled by the clinic');
    await eventually(async () => (await refundsOf(dev, taskId)).length > 0);
  });

  test('a pharmacy that cancels by itself has the same consequences', async () => {
    const { patient, approval, taskId, order } = await approved();
    await atPharmacy(dev, order, 'status', { status: 'cancelled' });
    await eventually(async () => (await refundsOf(dev, taskId)).length > 0);
    expect((await told(patient)).text).toContain('The pharmacy cancelled it');
    const cancellation = { ...nothing, state: 'approved', refundedCents: 29_900, refillsCancelled: 3 };
    await eventually(
      async () => (await cancellationOf(taskId))[0] && (await refillsOf(patient))[0] === 'cancelled',
    );
    const { status, body } = await cancel(dev, { taskId, reason });
    expect([status, body.cancellation]).toEqual([200, cancellation]);
    expect((await approve(dev, approval)).status).toBe(409);
    expect(await refundsOf(dev, taskId)).toHaveLength(1);
    expect(await cancelMails(dev, patient)).toHaveLength(1);
  });

  test('404 for an unknown task and a schedule without refills; 409 for a task that was denied or failed without an order', async () => {
    for (const taskId of [freshTask(), `refill-${randomUUID()}`]) {
      const { status, body } = await cancel(dev, { taskId, reason });
      expect([status, body]).toEqual([404, { error: 'Task not found' }]);
    }
    const denied = freshTask();
    const deny = { method: 'POST', path: '/orchestrator/deny', body: { taskId: denied } };
    await call(dev, 'orchestrator', deny);
    const ofDenied = await cancel(dev, { taskId: denied, reason });
    expect([ofDenied.status, ofDenied.body]).toEqual([409, { error: 'Task was denied' }]);
    const failing = semaglutideFor('nobody');
    await approve(dev, failing);
    const ofFailed = await cancel(dev, { taskId: failing.taskId, reason });
    expect([ofFailed.status, ofFailed.body]).toEqual([409, { error: 'There is no order to cancel' }]);
    // It is as it was: approving it again is a new run.
    expect((await approve(dev, failing)).status).toBe(500);
    expect(await runsOf(dev, failing.taskId)).toHaveLength(2);
  });

  test('400 names the field at fault', async () => {
    const { status, body } = await cancel(dev, { taskId: 'task', reason: '' });
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.details.map((issue) => issue.path)).toEqual(['reason']);
  });
});

describe('a refill', () => {
  test.each([
    [false, 'active', 0],
    [true, 'cancelled', 2],
  ])(
    'the newest one is taken back with its charge; with stopRefills %s its schedule is %s',
    async (stopRefills, expected, refillsCancelled) => {
      const patient = await newPatient(dev, 'WA');
      await saveCard(dev, patient);
      const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(-1) });
      await checkRefills(dev);
      const [taskId, reference] = [`refill-${id}`, `refill-${id}-1`];
      const { status, body } = await cancel(dev, { taskId, reason, stopRefills });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        taskId,
        cancellation: { ...nothing, state: 'approved', refundedCents: 29_900, refillsCancelled },
      });
      expect(await statusesOf(dev, reference)).toEqual(['cancelled']);
      expect(await refundsOf(dev, reference)).toMatchObject([
        { idempotencyKey: `refund:charge:${reference}:1` },
      ]);
      const { schedule } = (await schedulesAt(dev, `/${id}`)).body;
      expect([schedule.status, schedule.refillsSent]).toEqual([expected, 1]);
      expect(await cancellationOf(taskId)).toEqual([body.cancellation]);
      expect((await cancel(dev, { taskId, reason })).headers.get('idempotent-replayed')).toBe('true');
    },
  );
});
