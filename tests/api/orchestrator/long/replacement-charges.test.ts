import { describe, expect, test } from '@jest/globals';
import { call, eventually, shared } from '../../../helpers/client.js';
import { saveCard } from '../../../helpers/patients.js';
import { approve, chargesOf, semaglutideFor } from '../approvals.js';
import { atPharmacy, booked, cancel, refundsOf, statusesOf } from '../exceptions.js';
import { schedulesAt } from '../refills.js';
import { lost, mailsOf, replace, replacementIs, replacementsOf, shipped } from '../replacements.js';

const dev = shared();

describe('the charge of a replacement', () => {
  test('the patient pays under the reference of the replacement; a cancellation returns that charge only', async () => {
    const { patient, taskId } = await shipped(dev);
    const reference = `${taskId}~1`;
    expect((await replace(dev, lost(taskId, { paidBy: 'patient' }))).status).toBe(200);
    expect((await chargesOf(dev, reference)).map(({ amountCents }) => amountCents)).toEqual([29_900]);
    const [first] = await booked(dev, taskId);
    await atPharmacy(dev, first!, 'cancellation', { answer: 'deny', reason: 'already-shipped' });
    const { status, body } = await cancel(dev, { taskId, reason: 'No longer needed' });
    expect([status, body.cancellation]).toEqual([
      200,
      {
        state: 'denied',
        reason: 'already_shipped',
        refundedCents: 0,
        refillsCancelled: 0,
        replacementsCancelled: 1,
      },
    ]);
    expect(await statusesOf(dev, reference)).toEqual(['cancelled']);
    expect([(await refundsOf(dev, reference)).length, (await refundsOf(dev, taskId)).length]).toEqual([1, 0]);
    expect((await replacementsOf(dev, taskId)).map(({ state }) => state)).toEqual(['cancelled']);
    await eventually(async () => (await mailsOf(dev, patient.email, /canceled/i)).length === 1);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body;
    expect(schedules.map(({ status }) => status)).toEqual(['active']);
  });

  test('a declined charge leaves the order, and is recovered under the reference of the replacement', async () => {
    const { patient, taskId } = await shipped(dev);
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    const reference = `${taskId}~1`;
    expect((await replace(dev, lost(taskId, { paidBy: 'patient' }))).status).toBe(200);
    expect(await chargesOf(dev, reference)).toEqual([]);
    const recovery = await eventually(async () => {
      const path = '/orchestrator/payment-recoveries?state=open&limit=100';
      const { body } = await call<{ recoveries: { reference: string }[] }>(dev, 'orchestrator', { path });
      return body.recoveries.find((one) => one.reference === reference);
    });
    expect(recovery).toMatchObject({ taskId, status: 'failed' });
    await saveCard(dev, patient);
    const path = `/orchestrator/payments/${encodeURIComponent(reference)}/retry`;
    const retried = await call(dev, 'orchestrator', { method: 'POST', path });
    expect([retried.status, retried.body]).toMatchObject([200, { payment: { status: 'succeeded' } }]);
    expect(await chargesOf(dev, reference)).toHaveLength(1);
  });

  test('a failed charge of a cancelled replacement is not tried again; no task may have its reference', async () => {
    const { patient, taskId } = await shipped(dev);
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    const reference = `${taskId}~1`;
    await replace(dev, lost(taskId, { paidBy: 'patient' }));
    await cancel(dev, { taskId, reason: 'No longer needed' });
    await replacementIs(dev, taskId, 'cancelled');
    const path = `/orchestrator/payments/${encodeURIComponent(reference)}/retry`;
    const retried = await call(dev, 'orchestrator', { method: 'POST', path });
    expect([retried.status, retried.body]).toEqual([409, { error: 'Task was cancelled' }]);
    const late = await approve(dev, { ...semaglutideFor(patient.id), taskId: reference });
    expect([late.status, late.body]).toEqual([
      409,
      { error: 'Task already approved with different details' },
    ]);
    expect(await chargesOf(dev, reference)).toEqual([]);
  });

  test('a pharmacy that cancels it: its charge goes back, the task and its refills go on, and the next may follow', async () => {
    const { patient, taskId } = await shipped(dev);
    const reference = `${taskId}~1`;
    await replace(dev, lost(taskId, { paidBy: 'patient' }));
    const [order] = await booked(dev, reference);
    await atPharmacy(dev, order!, 'status', { status: 'cancelled' });
    await replacementIs(dev, taskId, 'cancelled');
    await eventually(async () => (await refundsOf(dev, reference)).length > 0);
    expect(await refundsOf(dev, taskId)).toEqual([]);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body;
    expect(schedules.map(({ status }) => status)).toEqual(['active']);
    const status = await call<{ runs: { cancellation: unknown }[] }>(dev, 'orchestrator', {
      path: `/orchestrator/status/${taskId}`,
    });
    expect(status.body.runs.map(({ cancellation }) => cancellation)).toEqual([null]);
    expect((await replace(dev, lost(taskId))).body.replacement.n).toBe(2);
  });
});
