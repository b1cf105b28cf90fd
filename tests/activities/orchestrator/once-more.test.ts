import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { chargeRequestOf, openCharge } from '../../../activities/orchestrator/open-charge.js';
import { findDunning, waiveCharge } from '../../../db/orchestrator/dunning.js';
import { listRunsOfTask } from '../../../db/orchestrator/runs.js';
import { findPayment } from '../../../db/orchestrator/payments.js';
import { refundsOf } from '../../api/orchestrator/exceptions.js';
import { chargesOf } from '../../api/orchestrator/approvals.js';
import { neverReachedReason, remedyOfSaved } from '../../../domain/orchestrator/dunning.js';
import { type PipelineResult, pipelineSteps } from '../../../domain/orchestrator/pipeline.js';
import { freshTask } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { setFault } from '../../faults/faults.js';
import { workItemsOf } from '../events.js';
import { closeParts, db, dev, running } from '../real-parts.js';
import { claim, own } from './steps-twice.js';

// A worker that dies after a run's end was recorded, and before its workflow task was completed, has steps 5 to 7 and
// the recording made once more.

afterAll(closeParts);

/** A task claimed by a run, as it stands before step 5. @param card that the patient has saved; none without one */
async function beforePayment(card?: string) {
  const patient = await newPatient(dev);
  if (card !== undefined) await saveCard(dev, patient, { card });
  const request = claim(freshTask(), patient.id);
  const { taskId, runId } = request;
  await own.claimTask(request);
  const charge = {
    taskId,
    emrPatientId: patient.id,
    priceCents: 29_900,
    callId: randomUUID(),
    isLastTry: true,
  };
  const succeeded = {
    success: true,
    completedSteps: [...pipelineSteps],
    medication: 'Semaglutide',
    patientName: 'Ada Test',
    state: 'NY',
    warnings: [] as PipelineResult['warnings'],
  };
  const warned = { ...succeeded, warnings: ['payment_failed' as const] };
  return { patient, taskId, runId, charge, succeeded, warned };
}

const charging = (charge: Parameters<typeof own.chargeSavedCard>[0]) =>
  running((input: typeof charge) => own.chargeSavedCard(input), charge, 2);

/** Cancels the task and gives its charge back, as its run does. */
async function cancelled(taskId: string): Promise<void> {
  await own.openCancellation({ reference: taskId, reason: 'Test', stopRefills: false, requestedBy: 'key' });
  await db`update orchestrator.task set cancelled_at = now(), changing = null where task_id = ${taskId}`;
  const owed = await own.findOwedRefund({ taskId });
  if (owed.kind !== 'refund') throw new Error('nothing is owed');
  const refundedCents = await running((refund: typeof owed.refund) => own.refundCharge(refund), owed.refund);
  await own.recordRefund({ taskId, refundedCents, makesUp: [], part: null });
}

test('a charge that was paid, and given back with its task, is paid when its step is made once more', async () => {
  const { taskId, charge } = await beforePayment('pm_card_visa');
  await charging(charge);
  await cancelled(taskId);
  const before = await findPayment(db, taskId);

  await expect(charging(charge)).resolves.toBeUndefined();
  expect(await findPayment(db, taskId)).toEqual(before);
  expect(before).toMatchObject({ attempt: 1, status: 'succeeded' });
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
  expect(await refundsOf(dev, taskId)).toHaveLength(1);
});

test('a charge that failed for want of a card stays so at the same word, though a card was saved since', async () => {
  const { patient, taskId, charge } = await beforePayment();
  await expect(charging(charge)).rejects.toMatchObject({ type: 'Rejected' });
  await saveCard(dev, patient, { card: 'pm_card_visa' });

  await expect(charging(charge)).rejects.toMatchObject({ type: 'Rejected' });
  expect(await findPayment(db, taskId)).toMatchObject({ status: 'failed', reason: 'no saved card' });
  expect(await chargesOf(dev, taskId)).toEqual([]);

  // Somebody else's word charges it.
  await charging({ ...charge, callId: randomUUID(), isLastTry: true });
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
});

test.each([
  [34_900, 29_900],
  [19_900, 19_900],
])(
  'a charge of 29900 cents that was declined, at a price of %i cents now, takes %i',
  async (priceCents, cents) => {
    const { patient, taskId, charge } = await beforePayment('pm_card_chargeCustomerFail');
    await expect(charging(charge)).rejects.toMatchObject({ type: 'Declined' });
    await saveCard(dev, patient, { card: 'pm_card_visa' });
    await charging({ ...charge, callId: randomUUID(), priceCents });
    expect(await chargesOf(dev, taskId)).toMatchObject([{ amountCents: cents }]);
  },
);

test('a card that a patient hands in pays the amount that the page shows, though the price is higher now', async () => {
  const { taskId, charge } = await beforePayment();
  await expect(charging(charge)).rejects.toMatchObject({ type: 'Rejected' });
  const card = { customerId: 'cus_test', paymentMethodId: 'pm_card_visa' };
  const again = { ...charge, callId: randomUUID(), priceCents: 34_900, card };
  expect(await openCharge(db, again)).toMatchObject({ kind: 'charge', charge: { amountCents: 29_900 } });
  expect(await findPayment(db, taskId)).toMatchObject({ amountCents: 29_900 });
});

const creating = { target: 'stripe', operation: 'paymentIntents.create' };

test.each([401, 403])('A lookup that is answered %i leaves a lost charge in doubt (D37)', async (status) => {
  const { taskId, charge } = await beforePayment('pm_card_visa');
  await setFault(dev, { ...creating, kind: 'lost-answer', times: 1, about: taskId });
  await expect(charging(charge)).rejects.toMatchObject({ type: 'Unavailable' });
  const request = chargeRequestOf((await findPayment(db, taskId))!)!;
  const listing = { target: 'stripe', operation: 'paymentIntents.list', about: request.customerId };
  await setFault(dev, { ...listing, kind: 'status', status, times: 2 });

  await expect(charging(charge)).rejects.toMatchObject({
    type: 'Unavailable',
    details: [{ attempt: 1, charge: request }],
  });
  expect(await findPayment(db, taskId)).toMatchObject({ status: 'pending' });
  const looking = () =>
    running((input: { charge: typeof request }) => own.findCharge(input), { charge: request });
  await expect(looking()).rejects.toMatchObject({ type: 'Unavailable', nonRetryable: false });
  expect(await looking()).toMatchObject({ outcome: { status: 'succeeded' } });
});

test.each([401, 403])(
  'A charge that is answered %i is planned again, as no bank was asked',
  async (status) => {
    const { taskId, charge } = await beforePayment('pm_card_visa');
    await setFault(dev, { ...creating, kind: 'status', status, times: 1, about: taskId });
    await expect(charging(charge)).rejects.toMatchObject({
      type: 'Rejected',
      message: `Payment processor answered ${status}`,
    });
    expect(await findPayment(db, taskId)).toMatchObject({ status: 'failed', reason: neverReachedReason });
    expect(remedyOfSaved((await findDunning(db, taskId))!)).toBe('time');
  },
);

const warningsOf = async (taskId: string) =>
  (await listRunsOfTask(db, taskId)).map(({ status, warnings }) => ({ status, warnings }));

test.each([
  ['a warning that the first did not have is not added', 'succeeded', 'warned'],
  ['a warning of the first does not go', 'warned', 'succeeded'],
] as const)('of an end recorded once more the first stays, and is answered: %s', async (_, first, second) => {
  const { taskId, runId, ...results } = await beforePayment();
  expect(await own.recordOutcome({ runId, reference: taskId, result: results[first] })).toBeUndefined();
  expect(await own.recordOutcome({ runId, reference: taskId, result: results[second] })).toEqual(
    results[first],
  );
  expect(await warningsOf(taskId)).toEqual([{ status: 'completed', warnings: results[first].warnings }]);
});

test('a success on record gives way to no failure, and a failure to a success', async () => {
  const { taskId, runId, succeeded } = await beforePayment();
  const failed = {
    ...succeeded,
    success: false,
    failedStep: 'pharmacy_submission' as const,
    error: 'No answer',
  };
  expect(await own.recordOutcome({ runId, reference: taskId, result: failed })).toBeUndefined();
  expect(await own.recordOutcome({ runId, reference: taskId, result: succeeded })).toBeUndefined();
  expect(await own.recordOutcome({ runId, reference: taskId, result: failed })).toEqual(succeeded);
  expect(await warningsOf(taskId)).toEqual([{ status: 'completed', warnings: [] }]);
  expect(await db`select state from orchestrator.task where task_id = ${taskId}`).toEqual([
    { state: 'completed' },
  ]);
});

test('a run that was taken back says so however late its end is recorded once more', async () => {
  const { taskId, runId, succeeded } = await beforePayment();
  const stopped = {
    ...succeeded,
    success: false,
    completedSteps: [pipelineSteps[0]],
    failedStep: 'patient_details' as const,
    error: 'Cancelled by an operator',
  };
  const request = { reference: taskId, reason: 'Test', stopRefills: false, requestedBy: 'key' };
  await own.openCancellation(request);
  expect(await own.recordOutcome({ runId, reference: taskId, result: stopped })).toEqual({
    ...stopped,
    error: 'Cancelled',
  });
  expect(await own.findOrderAtEnd({ taskId })).toEqual({ state: 'stopped' });
  await own.recordCancelled({ taskId, submissionId: null });

  expect(await own.recordOutcome({ runId, reference: taskId, result: stopped })).toEqual({
    ...stopped,
    error: 'Cancelled',
  });
  expect(await listRunsOfTask(db, taskId)).toMatchObject([{ status: 'failed', error: 'Cancelled' }]);
});

test('a task without an order after a reroute is a work item, though its charge has failed', async () => {
  const { taskId, runId, charge, warned } = await beforePayment('pm_card_chargeCustomerFail');
  await expect(charging(charge)).rejects.toThrow('Card declined');
  await own.recordOutcome({ runId, reference: taskId, result: warned });
  await own.recordNotTaken({ taskId, reference: taskId, submissionId: null, workflowId: 'test' });
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { kind: 'approval_failed', state: 'open' },
  ]);
});

test('a charge that never reached the processor takes no more than a message has named', async () => {
  const { taskId, charge } = await beforePayment('pm_card_visa');
  const first = await openCharge(db, charge);
  if (first.kind !== 'charge') throw new Error('nothing was opened');
  await db`update orchestrator.payment set status = 'failed', reason = ${neverReachedReason} where task_id = ${taskId}`;
  await db`insert into orchestrator.payment_recovery (reference, messages_sent) values (${taskId}, 1)`;
  const again = { ...charge, callId: randomUUID(), priceCents: 34_900 };
  expect(await openCharge(db, again)).toMatchObject({ kind: 'charge', charge: { amountCents: 29_900 } });
});

test('a charge that may still succeed is not waived', async () => {
  const { taskId, charge } = await beforePayment('pm_card_visa');
  await openCharge(db, charge);
  expect(await waiveCharge(db, taskId)).toBe(false);
  await db`update orchestrator.payment set status = 'failed' where task_id = ${taskId}`;
  expect(await waiveCharge(db, taskId)).toBe(true);
  expect(await findDunning(db, taskId)).toMatchObject({ state: 'cancelled' });
});
