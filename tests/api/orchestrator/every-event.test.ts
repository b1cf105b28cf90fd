import { describe, expect, test } from '@jest/globals';
import type { EventType } from '../../../domain/orchestrator/events.js';
import { call, eventually, freshTask, sandbox, shared } from '../../helpers/client.js';
import { changeInEmr, newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { approve, semaglutideFor } from './approvals.js';
import { atPharmacy, booked, type BookedOrder, cancel, reroute } from './exceptions.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from './refills.js';
import { replace } from './replacements.js';
import { postStripe, stripeEvent } from './stripe-webhooks.js';

const dev = shared();
const price = 29_900;
const charged = { amountCents: price, currency: 'usd' };

interface Told {
  type: EventType;
  taskId: string | null;
  planId: string | null;
  data: Record<string, unknown>;
}
/** The events of a task, once one of this type is among them. */
const toldOf = (taskId: string, last: EventType, times = 1) =>
  eventually(async () => {
    const path = `/orchestrator/events?taskId=${encodeURIComponent(taskId)}`;
    const { events } = (await call<{ events: Told[] }>(dev, 'orchestrator', { path })).body;
    return events.filter(({ type }) => type === last).length >= times && events;
  });
const dataOf = (events: readonly Told[], type: EventType) =>
  events.filter((event) => event.type === type).map(({ data }) => data);

interface Approved {
  patient: TestPatient;
  taskId: string;
  order: BookedOrder;
}
async function approved({ state = 'WA', card }: { state?: string; card?: string } = {}): Promise<Approved> {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient, card === undefined ? {} : { card });
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await booked(dev, approval.taskId);
  return { patient, taskId: approval.taskId, order: order! };
}
const submissionOf = (events: readonly Told[]) => dataOf(events, 'order.submitted')[0]!['submissionId'];

describe('Each event, with all its fields (D129)', () => {
  test('an order is held, released, shipped and delivered, its charge refunded in part and disputed', async () => {
    const { taskId, order } = await approved();
    const until = '2099-01-02T03:04:05.000Z';
    const hold = { id: `hold-${freshTask()}`, code: 'out-of-stock', message: 'None left', until };
    await atPharmacy(dev, order, 'hold', hold);
    await toldOf(taskId, 'order.held');
    const trackingNumber = `1Z${order.orderId}`;
    await atPharmacy(dev, order, 'status', { status: 'shipped', trackingNumber });
    await toldOf(taskId, 'order.shipped');
    await toldOf(taskId, 'order.released');
    await atPharmacy(dev, order, 'status', { status: 'delivered' });
    await toldOf(taskId, 'order.delivered');
    for (const amountCents of [5_000, 1_000])
      await call(dev, 'orchestrator', {
        method: 'POST',
        path: '/orchestrator/refunds',
        body: { taskId, amountCents, reason: 'Late' },
      });
    const { charges } = await sandbox<{ charges: { id: string; metadata: Record<string, string> }[] }>(
      dev,
      '/charges',
    );
    const charge = charges.find(({ metadata }) => metadata['task_id'] === taskId) as unknown as {
      id: string;
      paymentIntent: string;
    };
    const dispute = {
      id: `dp_${taskId}`,
      reason: 'fraudulent',
      charge: charge.id,
      payment_intent: charge.paymentIntent,
    };
    for (let n = 0; n < 2; n += 1) await postStripe(dev, stripeEvent('charge.dispute.created', dispute));
    const events = await toldOf(taskId, 'payment.disputed');
    const submissionId = submissionOf(events);
    const holdId = hold.id;
    expect(events.map(({ type }) => type).sort()).toEqual(
      [
        'payment.succeeded',
        'order.submitted',
        'approval.completed',
        'order.held',
        'order.released',
        'order.shipped',
        'order.delivered',
        'payment.refunded',
        'payment.refunded',
        'payment.disputed',
      ].sort(),
    );
    expect(dataOf(events, 'order.held')).toEqual([{ submissionId, holdId, code: 'out_of_stock', until }]);
    expect(dataOf(events, 'order.released')).toEqual([{ submissionId, holdId }]);
    // This pharmacy names no carrier; the shipping service does, a little later.
    expect(dataOf(events, 'order.shipped')).toEqual([{ submissionId, trackingNumber, carrier: null }]);
    const [{ carrier, ...delivered } = { carrier: '' }] = dataOf(events, 'order.delivered');
    expect([delivered, [null, 'ups'].includes(carrier as never)]).toEqual([
      { submissionId, trackingNumber },
      true,
    ]);
    expect(dataOf(events, 'payment.refunded')).toEqual([
      { amountCents: 5_000, currency: 'usd', refundedCents: 5_000 },
      { amountCents: 1_000, currency: 'usd', refundedCents: 6_000 },
    ]);
    expect(dataOf(events, 'payment.disputed')).toEqual([charged]);
    for (const event of events) expect([event.taskId, event.planId]).toEqual([taskId, null]);
  });

  test('an order is cancelled, and its charge refunded', async () => {
    const { taskId, order } = await approved();
    expect((await cancel(dev, { taskId, reason: 'Taken back' })).status).toBe(200);
    await toldOf(taskId, 'payment.refunded');
    const events = await toldOf(taskId, 'order.cancelled');
    expect(dataOf(events, 'order.cancelled')).toEqual([
      { submissionId: submissionOf(events), pharmacy: order.pharmacy, reference: taskId },
    ]);
    expect(dataOf(events, 'payment.refunded')).toEqual([{ ...charged, refundedCents: price }]);
  });

  test('a reroute and a shipment leave events of both orders', async () => {
    const { taskId, order } = await approved();
    const pharmacy = 'pharmacy_b';
    const moved = await reroute(dev, { taskId, pharmacy });
    expect(moved.status).toBe(200);
    const { submissionId, reference } = moved.body;
    const [next] = await booked(dev, reference);
    const parcel = { trackingNumber: `1Z${next!.orderId}`, carrier: 'UPS' };
    await atPharmacy(dev, next!, 'status', { status: 'shipped', ...parcel });
    await toldOf(taskId, 'order.cancelled');
    const events = await toldOf(taskId, 'order.shipped');
    expect(dataOf(events, 'order.shipped')).toEqual([{ submissionId, ...parcel }]);
    expect(dataOf(events, 'order.rerouted')).toEqual([{ submissionId, pharmacy, reference }]);
    expect(dataOf(events, 'order.submitted')).toEqual([
      expect.objectContaining({ reference: taskId }),
      { submissionId, pharmacy, reference },
    ]);
    expect(dataOf(events, 'order.cancelled')).toEqual([
      { submissionId: submissionOf(events), pharmacy: order.pharmacy, reference: taskId },
    ]);
  });

  test('an order is replaced', async () => {
    const { taskId, order } = await approved();
    await atPharmacy(dev, order, 'status', { status: 'shipped', trackingNumber: `1Z${order.orderId}` });
    await toldOf(taskId, 'order.shipped');
    const asked = { taskId, reason: 'lost', paidBy: 'carrier' };
    const { body } = await eventually(async () => {
      const answer = await replace(dev, asked);
      return answer.status === 200 && answer;
    });
    const { submissionId, pharmacy, reference } = body.replacement;
    const events = await toldOf(taskId, 'order.replaced');
    expect(dataOf(events, 'order.replaced')).toEqual([
      { submissionId, pharmacy, reference, reason: 'lost', paidBy: 'carrier' },
    ]);
    expect(dataOf(events, 'order.submitted')).toContainEqual({ submissionId, pharmacy, reference });
  });

  test('a charge fails with the code of the decline', async () => {
    const { taskId } = await approved({ card: 'pm_card_chargeCustomerFail' });
    const events = await toldOf(taskId, 'payment.failed');
    expect(dataOf(events, 'payment.failed')).toEqual([{ ...charged, code: 'generic_decline' }]);
  });

  test('an approval is denied', async () => {
    const patient = await newPatient(dev);
    const taskId = freshTask();
    const body = { taskId, emrPatientId: patient.id };
    expect(
      (await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body })).status,
    ).toBe(200);
    const events = await toldOf(taskId, 'approval.denied');
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['approval.denied', { runId: expect.any(String) }],
    ]);
  });

  test('a refill is sent, fails, and is paused', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const due = { lastFillDate: dayFromToday(-40), nextFillDate: dayFromToday(0) };
    const { id: scheduleId } = await newSchedule(dev, { emrPatientId: patient.id, ...due });
    const taskId = `refill-${scheduleId}`;
    await checkRefills(dev, { scheduleIds: [scheduleId] });
    const sent = await toldOf(taskId, 'refill.sent');
    const submissionId = submissionOf(sent);
    expect(dataOf(sent, 'refill.sent')).toEqual([{ scheduleId, n: 1, submissionId }]);
    expect(dataOf(sent, 'order.submitted')).toMatchObject([{ reference: `refill-${scheduleId}-1` }]);

    const gone = await newSchedule(dev, { emrPatientId: patient.id, medication: 'tirzepatide', ...due });
    await changeInEmr(dev, patient, (record) => {
      delete record.birthDate;
    });
    await checkRefills(dev, { scheduleIds: [gone.id] });
    expect(dataOf(await toldOf(`refill-${gone.id}`, 'refill.failed'), 'refill.failed')).toEqual([
      { scheduleId: gone.id, n: 1, failedStep: 'patient_details', code: 'patient_incomplete' },
    ]);

    await schedulesAt(dev, `/${scheduleId}/pause`, { method: 'POST' });
    expect(dataOf(await toldOf(taskId, 'refill.paused'), 'refill.paused')).toEqual([
      { scheduleId, n: 2, reason: 'asked' },
    ]);
  });

  test('the order, the charge and the refill of a plan name the plan', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const made = await call<{ plan: { id: string } }>(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/plans',
      body: {
        planRef: freshTask(),
        emrPatientId: patient.id,
        treatment: 'weight-loss',
        phases: [{ medication: 'semaglutide', fills: 2 }],
      },
    });
    const planId = made.body.plan.id;
    const events = await toldOf(`refill-${planId}`, 'refill.sent');
    expect(events.map(({ type, ...event }) => [type, event.planId])).toEqual(
      expect.arrayContaining([
        ['payment.succeeded', planId],
        ['order.submitted', planId],
        ['refill.sent', planId],
      ]),
    );
    for (const event of events) expect(event.planId).toBe(planId);
  });
});
