import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openWorkItem } from '../../../../db/work-items.js';
import { chargeAgainReference } from '../../../../domain/orchestrator/shipments.js';
import { takeProcessorEvent } from '../../../../db/orchestrator/processor-events.js';
import { announceRefills } from '../../../../db/orchestrator/refill-notices.js';
import { approve, messagesTo, semaglutideFor } from '../../../api/orchestrator/approvals.js';
import { dayFromToday, newSchedule, schedulesAt } from '../../../api/orchestrator/refills.js';
import { mailsTo } from '../../../api/intake/visitors.js';
import { call, eventually, freshTask } from '../../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../../helpers/patients.js';
import { closeParts, db, dev, running } from '../../real-parts.js';
import { own } from '../steps-twice.js';

afterAll(closeParts);

const mailsAbout = async ({ email }: TestPatient, subject: string) =>
  (await mailsTo(dev, email)).filter((mail) => mail.subject === subject);
const mailAbout = (patient: TestPatient, subject: string) =>
  eventually(async () => (await mailsAbout(patient, subject))[0]);
const eventsOf = (taskId: string) => db`
  select detail from orchestrator.outbox where detail_type = 'payment.succeeded' and detail ->> 'reference' = ${taskId}
`;
/** Every event about it has been handled. */
const handled = (like: string) =>
  eventually(async () => {
    const open = await db`
      select from orchestrator.event_delivery where aggregate_id like ${like} and state <> 'delivered'
    `;
    return open.length === 0;
  });
const charge = (task: { taskId: string; emrPatientId: string }) =>
  running((input: Parameters<typeof own.chargeSavedCard>[0]) => own.chargeSavedCard(input), {
    ...task,
    priceCents: 29_900,
    callId: randomUUID(),
    isLastTry: true,
  });

describe('a receipt', () => {
  test('lists what was paid for, however late the charge succeeds, and is sent once', async () => {
    const patient = await newPatient(dev);
    const approval = semaglutideFor(patient.id);
    const { taskId } = approval;
    expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
    await saveCard(dev, patient);
    await charge({ taskId, emrPatientId: patient.id });

    const { text } = await mailAbout(patient, 'Your receipt');
    expect(text).toContain(`payment of $299.00 for order ${taskId}`);
    expect(text).toContain(
      [
        'Medication: Semaglutide 5mg/mL',
        'Quantity: 2 mL',
        'Days of supply: 30',
        'Prescriber: Alex Rivera',
        'Pharmacy: Pharmacy C',
        `Date: ${dayFromToday(0)}`,
      ].join('\n'),
    );

    await charge({ taskId, emrPatientId: patient.id });
    const [paid] = await db<{ paymentIntentId: string; amountCents: number }[]>`
      select payment_intent_id, amount_cents from orchestrator.payment where task_id = ${taskId}
    `;
    const { paymentIntentId = '', amountCents = 0 } = paid ?? {};
    const mark = { reference: taskId, attempt: 1 };
    const news = { kind: 'charged' as const, mark, paymentIntentId, amountCents };
    await takeProcessorEvent(db, { id: randomUUID(), type: 'test', news }, { receipts: true });
    expect(await eventsOf(taskId)).toEqual([{ detail: { reference: taskId, attempt: 1 } }]);
    await handled(`receipt-${taskId}`);
    expect(await mailsAbout(patient, 'Your receipt')).toHaveLength(1);

    const timeline = await call<{ entries: { service: string; text: string }[] }>(dev, 'orchestrator', {
      path: `/orchestrator/timeline/${taskId}`,
    });
    const notices = timeline.body.entries.filter(({ service }) => service === 'notification');
    expect(notices.filter(({ text }) => text.includes('receipt')).length).toBeGreaterThan(0);
  });

  test('names the order that was sent although it was cancelled, for the charge made again', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const { taskId } = approval;
    const { submissionId } = (await approve(dev, approval)).body.result;
    const references = { taskId, submissionId: submissionId! };
    const sent = { kind: 'shipped_after_cancel', fact: taskId, reason: 'shipped', references } as const;
    await openWorkItem(db, 'orchestrator', sent);
    await charge({ taskId: chargeAgainReference(submissionId!), emrPatientId: patient.id });

    const { text } = await mailAbout(patient, 'Your receipt');
    expect(text).toContain(`payment of $299.00 for order ${taskId}`);
    expect(text).toContain('Medication: Semaglutide 5mg/mL');
  });

  test('is sent for a charge that only the processor’s webhook tells of', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    const taskId = freshTask();
    await expect(charge({ taskId, emrPatientId: patient.id })).rejects.toThrow('Card declined');
    expect(await eventsOf(taskId)).toEqual([]);

    const news = {
      kind: 'charged' as const,
      mark: { reference: taskId, attempt: 1 },
      paymentIntentId: `pi_${randomUUID()}`,
      amountCents: 29_900,
    };
    await takeProcessorEvent(db, { id: randomUUID(), type: 'test', news }, { receipts: true });
    const { text } = await mailAbout(patient, 'Your receipt');
    expect(text).toContain(`payment of $299.00 for order ${taskId}`);
    expect(text).not.toContain('Medication:');
  });

  test('is not sent for a charge of nothing, nor where receipts are off', async () => {
    const [free, paying] = [await newPatient(dev), await newPatient(dev)];
    await saveCard(dev, free, { amountCents: 0 });
    const [freeTask, paidTask] = [freshTask(), freshTask()];
    await charge({ taskId: freeTask, emrPatientId: free.id });
    expect(await eventsOf(freeTask)).toEqual([]);

    // The shared system has receipts off.
    await saveCard(dev, paying);
    await approve(dev, { ...semaglutideFor(paying.id), taskId: paidTask });
    expect(await eventsOf(paidTask)).toEqual([]);
  });
});

describe('the notice of a refill', () => {
  const subject = 'Your subscription renews soon';

  test('says once what will be charged, and when', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient, { couponId: 'TENOFF', amountCents: 19_900 });
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(3) });
    await own.announceRefills({});
    const { text } = await mailAbout(patient, subject);
    expect(text).toContain(`Your Semaglutide 5mg/mL plan renews on ${dayFromToday(3)} for $189.00.`);

    await db`update orchestrator.refill_schedule set next_fill_date = ${dayFromToday(1)} where id = ${id}`;
    await own.announceRefills({});
    await handled(`notice-refill-${id}%`);
    expect(await mailsAbout(patient, subject)).toHaveLength(1);

    await db`update orchestrator.refill_schedule set refills_sent = 1 where id = ${id}`;
    await own.announceRefills({});
    await eventually(async () => (await mailsAbout(patient, subject)).length === 2);
    const all = await messagesTo(dev, patient);
    expect(all.every(({ channel }) => channel === 'email')).toBe(true);
    await schedulesAt(dev, `/${id}/cancel`, { method: 'POST', body: {} });
  });

  test('says $0.00 for a price that is too small to be charged', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient, { amountCents: 49 });
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(3) });
    await own.announceRefills({});
    const { text } = await mailAbout(patient, subject);
    expect(text).toContain(`renews on ${dayFromToday(3)} for $0.00.`);
    await schedulesAt(dev, `/${id}/cancel`, { method: 'POST', body: {} });
  });

  test('is sent from that many days before to the day before, and only for refills that are to come', async () => {
    const patient = await newPatient(dev);
    const emrPatientId = patient.id;
    const due = (nextFillDate: string, more = {}) =>
      newSchedule(dev, { emrPatientId, nextFillDate, ...more });
    const made = [
      await due(dayFromToday(4)),
      await due(dayFromToday(2), { refillsSent: 3 }),
      await due(dayFromToday(2)),
      await due(dayFromToday(1)),
    ];
    const [, , paused, soon] = made;
    await schedulesAt(dev, `/${paused?.id}/pause`, { method: 'POST', body: {} });
    const noticed = () => db`
      select id, noticed_refill from orchestrator.refill_schedule
      where emr_patient_id = ${emrPatientId} and noticed_refill is not null
    `;
    await announceRefills(db, { after: dayFromToday(0), until: dayFromToday(3), limit: 1_000 });
    expect(await noticed()).toEqual([{ id: soon?.id, noticedRefill: 1 }]);
    const [first] = made;
    await announceRefills(db, { after: dayFromToday(4), until: dayFromToday(4), limit: 1_000 });
    expect(await noticed()).not.toContainEqual(expect.objectContaining({ id: first?.id }));
    const { text } = await mailAbout(patient, subject);
    expect(text).toContain(`renews on ${dayFromToday(1)} for $299.00.`);
    for (const { id } of made) await schedulesAt(dev, `/${id}/cancel`, { method: 'POST', body: {} });
  });
});
