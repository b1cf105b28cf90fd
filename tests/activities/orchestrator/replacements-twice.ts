import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { ReplacementActivities } from '../../../activities/orchestrator/replacements.js';
import { claimReplacement, readReplacement } from '../../../db/orchestrator/replacements.js';
import { reportFailedShipment } from '../../../db/orchestrator/shipments.js';
import { approve, semaglutideFor } from '../../api/orchestrator/approvals.js';
import { booked } from '../../api/orchestrator/exceptions.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { workItemsOf } from '../events.js';
import { db, dev } from '../real-parts.js';
import type { Entries } from '../twice.js';
import { answered, itemsOf } from './changes-twice.js';
import { own } from './steps-twice.js';

/** A claimed replacement of the order of an approved task. */
async function claimed() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const { taskId, ...approval } = semaglutideFor(patient.id);
  const { body } = await approve(dev, { taskId, ...approval });
  const submissionId = body.result.submissionId ?? '';
  const request = { reason: 'lost' as const, paidBy: 'patient' as const, note: null, shipTo: null };
  const claim = { ...request, taskId, pharmacy: 'pharmacy_a' as const, requestedBy: 'key', requestKey: null };
  await claimReplacement(db, { ...claim, sourceSubmissionId: submissionId });
  return { taskId, reference: `${taskId}~1`, submissionId, emrPatientId: patient.id };
}
const stateOf = async (reference: string) => {
  const { state, isRunning } = (await readReplacement(db, reference))!;
  return { state, isRunning };
};

export const replacements: Entries<ReplacementActivities> = {
  openReplacement: async () => {
    const { taskId, reference, emrPatientId } = await claimed();
    const replacing = { heldBy: taskId, emrPatientId, pharmacy: 'pharmacy_a', priceCents: 29_900 };
    return { input: { reference }, answers: { replacing: { ...replacing, requestedBy: 'key' } } };
  },
  placeReplacement: async () => {
    const { reference } = await claimed();
    return {
      input: { reference },
      answers: { placed: expect.objectContaining({ pharmacy: 'pharmacy_a' }) },
      seen: async () => (await booked(dev, reference)).length,
      once: 1,
    };
  },
  recordReplacementOrder: async () => {
    const { reference } = await claimed();
    const placed = { submissionId: randomUUID(), pharmacy: 'pharmacy_a', pharmacyOrderId: randomUUID() };
    return {
      input: { reference, ...placed },
      seen: () => stateOf(reference),
      once: { state: 'ordered', isRunning: true },
    };
  },
  recordNoReplacement: async () => {
    const { taskId, reference } = await claimed();
    await answered(taskId, 'order_again', 'order_missing');
    return {
      input: { reference, state: 'rejected', submissionId: null },
      seen: async () => [await stateOf(reference), await itemsOf(taskId)],
      once: [{ state: 'rejected', isRunning: false }, [{ kind: 'order_missing', state: 'open' }]],
    };
  },
  endReplacement: async () => {
    const { reference } = await claimed();
    return {
      input: { reference },
      seen: () => stateOf(reference),
      once: { state: 'pending', isRunning: false },
    };
  },
  readAddressee: async () => {
    const { submissionId } = await claimed();
    return { input: { submissionId }, answers: expect.objectContaining({ address: expect.anything() }) };
  },
  readRecipient: async () => {
    const { submissionId } = await claimed();
    return { input: { submissionId }, answers: expect.objectContaining({ name: expect.any(String) }) };
  },
  findReplacements: async () => {
    const { taskId, reference } = await claimed();
    await own.endReplacement({ reference });
    return { input: { taskId }, answers: [{ reference, isCancelled: false }] };
  },
  recordReplacementCancelled: async () => {
    const { taskId, reference } = await claimed();
    const submissionId = randomUUID();
    const placed = { submissionId, pharmacy: 'pharmacy_a', pharmacyOrderId: randomUUID() };
    await own.recordReplacementOrder({ reference, ...placed });
    const failed = { submissionId, taskId, reason: 'refused' as const, workflowId: '' };
    await db.begin((sql) => reportFailedShipment(sql, failed));
    await own.endReplacement({ reference });
    await own.openCancellation({
      reference: taskId,
      reason: 'Twice',
      stopRefills: false,
      requestedBy: 'key',
    });
    return {
      input: { reference },
      seen: async () => [
        await db`select replacements_cancelled from orchestrator.cancellation where task_id = ${taskId}`,
        await workItemsOf('orchestrator', submissionId),
      ],
      once: [
        [{ replacementsCancelled: 1 }],
        [{ kind: 'shipment_failed', reason: 'refused', state: 'closed', told: 2 }],
      ],
    };
  },
};
