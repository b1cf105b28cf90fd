import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { recordPharmacyCase } from '../../../db/orchestrator/shipments.js';
import { freshTask } from '../../helpers/client.js';
import { eventOf, workItemsOf } from '../events.js';
import { closeParts, db, dev, running } from '../real-parts.js';
import { claim, own } from './steps-twice.js';

afterAll(closeParts);

const failed = {
  success: false,
  completedSteps: [],
  failedStep: 'pharmacy_submission' as const,
  error: 'pharmacy_a rejected the order',
  warnings: [],
  medication: 'Semaglutide',
  patientName: 'Ada Test',
  state: 'WA',
};

async function claimed(taskId: string) {
  const request = claim(taskId);
  const { runId, emrPatientId } = request;
  return { runId, emrPatientId, claim: await own.claimTask(request) };
}

/** A run that orders under the next reference of its task, since the first pharmacy rejected the order. */
async function ordering() {
  const taskId = freshTask();
  const first = await claimed(taskId);
  await own.recordOutcome({ runId: first.runId, reference: taskId, result: failed });
  const freed = { reference: taskId, submissionId: null };
  const { reference } = await own.moveReference({ taskId, pharmacy: 'pharmacy_b', freed });
  const { runId, emrPatientId, claim: second } = await claimed(taskId);
  expect([reference, second]).toMatchObject([`${taskId}#2`, { placing: { reference } }]);
  return { taskId, runId, emrPatientId, reference };
}

test('the outcome of an order is consumed after its run has recorded that it is unknown', async () => {
  const { taskId, runId, reference } = await ordering();
  const submissionId = randomUUID();
  const clientId = dev.apiKeys['orchestrator']!.key;
  const found = { submissionId, clientId, sourceOrderId: reference, pharmacy: 'pharmacy_b' };
  const event = eventOf('router', 'order.settled', { ...found, pharmacyOrderId: null });
  const consume = () =>
    running((input: Parameters<typeof own.consumeEvent>[0]) => own.consumeEvent(input), {
      consumer: 'orchestrator',
      event,
    });
  await expect(consume()).rejects.toThrow('A run of the order is under way');

  await own.recordOutcome({ runId, reference: taskId, result: failed, unknownSubmissionId: submissionId });
  await consume();
  expect(await workItemsOf('orchestrator', taskId)).toMatchObject([
    { kind: 'approval_failed', reason: 'order_rejected', state: 'open' },
  ]);
});

const shipmentFailed = (submissionId: string, reference: string) =>
  running((input: Parameters<typeof own.recordFailedShipment>[0]) => own.recordFailedShipment(input), {
    submissionId,
    reference,
    reason: 'refused',
  });

test('the work item of a shipment that failed names the task of its order', async () => {
  const { taskId, reference } = await ordering();
  const submissionId = randomUUID();
  await shipmentFailed(submissionId, reference);
  expect(
    await db`select kind, refers_to from orchestrator.work_item where fact = ${submissionId}`,
  ).toMatchObject([{ kind: 'shipment_failed', refersTo: { taskId, submissionId } }]);
});

test('the work item of a shipment that failed closes once the order moves, and its label is given up', async () => {
  const { taskId, emrPatientId, reference } = await ordering();
  const submissionId = randomUUID();
  const order = { pharmacy: 'pharmacy_b', pharmacyOrderId: randomUUID(), submissionId };
  await recordPharmacyCase(db, { ...order, emrPatientId });
  await shipmentFailed(submissionId, reference);
  expect(await own.needsLabel({ submissionId })).toBe(true);
  await own.moveReference({ taskId, pharmacy: 'pharmacy_a', freed: { reference, submissionId } });
  expect(await own.needsLabel({ submissionId })).toBe(false);
  await shipmentFailed(submissionId, reference);
  expect(await workItemsOf('orchestrator', submissionId)).toMatchObject([
    { kind: 'shipment_failed', state: 'closed', told: 2 },
  ]);
});
