import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { openCharge } from '../../../activities/orchestrator/open-charge.js';
import { findPayment } from '../../../db/orchestrator/payments.js';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';
import { orchestratorActivities } from '../../../workers/orchestrator/activities.js';
import {
  callsTo,
  chargesOf,
  messagesTo,
  ordersOf,
  submissionIdOf,
} from '../../api/orchestrator/approvals.js';
import { freshTask } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { contextOf, db, dev } from '../real-parts.js';
import type { Entries } from '../twice.js';

export const own = orchestratorActivities(contextOf('orchestrator'));

export const details = {
  firstName: 'Ada',
  lastName: 'Test',
  dob: '1990-01-31',
  gender: 'female' as const,
  phone: '+12025550101',
  address: { line1: '1 Main St', city: 'Albany', state: 'NY', zip: '12207' },
  contact: { name: 'Ada Test' },
};
const prescriber = {
  firstName: 'Sam',
  lastName: 'Ito',
  suffix: '',
  npi: '1000000020',
  emrPractitionerId: '',
};

async function openedCharge() {
  const patient = await newPatient(dev);
  await saveCard(dev, patient);
  const taskId = freshTask();
  const opened = await openCharge(db, { taskId, emrPatientId: patient.id, priceCents: 29_900 });
  if (opened.kind !== 'charge') throw new Error('there is nothing to charge');
  return { taskId, charge: opened.charge };
}

export const order = () => ({
  submissionId: randomUUID(),
  pharmacy: 'pharmacy_b',
  pharmacyOrderId: randomUUID(),
});
/** The ids of the shipments that the shipping service has made of a reference. */
export async function madeOf(reference: string): Promise<unknown[]> {
  const made = (await callsTo(dev, 'shipping')).filter(
    ({ body, status }) => status === 201 && body['reference'] === reference,
  );
  return [...new Set(made.map(({ responseBody }) => responseBody?.['shipmentId']))];
}
const tracked = { shipmentId: expect.any(String), trackingNumber: expect.any(String), carrier: 'ups' };

/** The steps of an approval that ask another party. */
export const steps = {
  fetchPatient: async () => {
    const { id, email } = await newPatient(dev);
    return { input: { emrPatientId: id }, answers: expect.objectContaining({ email }) };
  },
  fetchContact: async () => {
    const { id, name, email, phone } = await newPatient(dev);
    return { input: { emrPatientId: id }, answers: { name, email, phone } };
  },
  resolvePrescriber: async () => ({
    input: { state: 'NY' },
    answers: expect.objectContaining({ suffix: 'FNP-C' }),
  }),
  submitToPharmacy: async () => {
    const sourceOrderId = freshTask();
    const config = builtInMedication('semaglutide')!;
    return {
      input: { sourceOrderId, patient: details, prescriber, config },
      answers: expect.objectContaining({ submissionId: submissionIdOf(dev, sourceOrderId) }),
      seen: async () => (await ordersOf(dev, sourceOrderId)).length,
      once: 1,
    };
  },
  chargeSavedCard: async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const taskId = freshTask();
    return {
      input: { taskId, emrPatientId: patient.id, priceCents: 29_900, callId: randomUUID(), isLastTry: true },
      seen: async () => ({ charges: await chargesOf(dev, taskId), payment: await findPayment(db, taskId) }),
      once: {
        charges: [expect.objectContaining({ amountCents: 29_900 })],
        payment: expect.objectContaining({ attempt: 1, status: 'succeeded' }),
      },
    };
  },
  findCharge: async () => {
    const { charge } = await openedCharge();
    return { input: { charge }, answers: {} };
  },
  recordPayment: async () => {
    const { taskId } = await openedCharge();
    const outcome = { status: 'succeeded' as const, paymentIntentId: 'pi_test' };
    return {
      input: { taskId, attempt: 1, outcome },
      seen: () => findPayment(db, taskId),
      once: expect.objectContaining({ attempt: 1, ...outcome }),
    };
  },
  createLabel: async () => {
    const made = order();
    return {
      input: { order: made, patient: details },
      answers: expect.objectContaining(tracked),
      seen: () => madeOf(made.submissionId),
      once: [expect.any(String)],
    };
  },
  notifyPatient: async () => {
    const patient = await newPatient(dev);
    const { name, email, phone } = patient;
    return {
      input: {
        type: 'delivered',
        reference: freshTask(),
        contact: { name, email, phone },
        variables: { medication: 'Semaglutide' },
      },
      seen: async () => (await messagesTo(dev, patient)).map(({ channel }) => channel),
      once: ['email', 'sms'],
    };
  },
} satisfies Partial<Entries<typeof own>>;

/** The claim of a new run of an approval. */
export function claim(taskId = freshTask(), emrPatientId: string = randomUUID()) {
  const runId = randomUUID();
  return {
    kind: 'approve' as const,
    reference: taskId,
    taskId,
    runId,
    workflowId: `test:${runId}`,
    detailsHash: 'hash',
    medication: 'semaglutide',
    emrPatientId,
  };
}
