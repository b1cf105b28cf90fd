import { expect } from '@jest/globals';
import { openCharge } from '../../../activities/orchestrator/open-charge.js';
import { findDunning } from '../../../db/orchestrator/dunning.js';
import { findPaymentProfile } from '../../../db/orchestrator/payment-profiles.js';
import { findPayment } from '../../../db/orchestrator/payments.js';
import { freshTask } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { db, dev } from '../real-parts.js';
import type { Entries } from '../twice.js';
import { own } from './steps-twice.js';

/** A charge that its bank has declined for good. */
export async function failedCharge() {
  const patient = await newPatient(dev);
  await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
  const taskId = freshTask();
  const opened = await openCharge(db, { taskId, emrPatientId: patient.id, priceCents: 29_900 });
  if (opened.kind !== 'charge') throw new Error('there is nothing to charge');
  const outcome = { status: 'failed' as const, paymentIntentId: 'pi_test', reason: 'expired_card' };
  await own.recordPayment({ taskId, attempt: 1, outcome });
  return { taskId, patient };
}

/** A charge of a patient's card that has succeeded, of no order. */
export async function paidCharge() {
  const patient = await newPatient(dev);
  await saveCard(dev, patient);
  const taskId = freshTask();
  await openCharge(db, { taskId, emrPatientId: patient.id, priceCents: 29_900 });
  await own.recordPayment({
    taskId,
    attempt: 1,
    outcome: { status: 'succeeded', paymentIntentId: 'pi_test' },
  });
  return { taskId, patient };
}

/** Activities of the dunning run. */
export const unpaidCharges = {
  readUnpaidCharge: async () => {
    const { taskId, patient } = await failedCharge();
    return {
      input: { reference: taskId },
      answers: expect.objectContaining({
        state: 'open',
        status: 'failed',
        remedy: 'card',
        emrPatientId: patient.id,
        amount: '$299.00',
        paymentUrl: expect.stringMatching(/\/pay\?token=/),
      }),
    };
  },
  noteUnpaidCharge: async () => {
    const { taskId: reference } = await failedCharge();
    return {
      input: { reference, retriesDone: 2, nextAt: Date.UTC(2100) },
      seen: async () => (await findDunning(db, reference))?.retriesDone,
      once: 2,
      // A count never falls.
      meanwhile: () => own.noteUnpaidCharge({ reference, retriesDone: 1 }),
    };
  },
  giveUpCharge: async () => {
    const { taskId: reference } = await failedCharge();
    return {
      input: { reference },
      seen: async () => ({
        state: (await findDunning(db, reference))?.state,
        items: [
          ...(await db`select reason, state from orchestrator.work_item where fact = ${reference} and kind = 'payment_unpaid'`),
        ],
      }),
      once: { state: 'unpaid', items: [{ reason: 'expired_card', state: 'open' }] },
    };
  },
  attachHandedInCard: async () => {
    const { taskId: reference, patient } = await failedCharge();
    const { id, name, email } = patient;
    const saved = await findPaymentProfile(db, id);
    return {
      input: {
        reference,
        emrPatientId: id,
        contact: { name, email },
        card: { paymentMethodId: 'pm_card_visa' },
      },
      answers: { customerId: saved?.customerId, paymentMethodId: expect.stringMatching(/^pm_/) },
      seen: async () => ({
        saved: await findPaymentProfile(db, id),
        attempt: (await findPayment(db, reference))?.attempt,
      }),
      once: { saved, attempt: 1 },
    };
  },
} satisfies Partial<Entries<typeof own>>;
