import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { keepCard } from '../../../db/intake/payment-profiles.js';
import { findRetry } from '../../../db/intake/retry-queue.js';
import { keepIntake } from '../../../db/intake/submissions.js';
import { issueCode } from '../../../db/intake/verification-codes.js';
import { intakeActivities, intakeEmrActivities } from '../../../workers/intake/activities.js';
import { emrPatients, freshEmail, newIntake } from '../../api/intake/intakes.js';
import { mailboxOf } from '../../helpers/client.js';
import { newPatient } from '../../helpers/patients.js';
import { eventOf, eventQueue, sessionEvents } from '../events.js';
import { contextOf, db, dev, running } from '../real-parts.js';
import { consuming, type Entries, type Entry } from '../twice.js';

const own = { ...intakeActivities(contextOf('intake')), ...intakeEmrActivities(contextOf('intake')) };

/** An intake as the API keeps it for its run. */
async function kept(change: Record<string, unknown> = {}, emailProven = false) {
  const submissionId = randomUUID();
  const intake = await newIntake(dev, change);
  const body = JSON.stringify(intake);
  await keepIntake(db, {
    submissionId,
    body,
    bodyHash: 'hash',
    plan: 'monthly',
    planAmountCents: 29_900,
    emailProven,
  });
  return { submissionId, email: intake.email };
}

/** One that was stored while the EMR was away. */
async function stored() {
  const { submissionId } = await kept();
  await own.saveSubmission({ submissionId, patient: { error: 'EMR is away' } });
  return submissionId;
}

const submissionOf = (submissionId: string) => db`
  select submission.status, submission.emr_patient_id, retry.status as retry, retry.attempts, retry.last_error
  from intake.submission left join intake.retry_queue as retry on retry.submission_id = submission.id
  where submission.id = ${submissionId}
`;

/** Mails to an address; none as yet is none at all, since an activity answers once the mail is out. */
const mailsTo = async (email: string) => (await mailboxOf(dev, email)).length;

/** All there have been of an EMR patient. */
async function versionsOf(emrPatientId: string): Promise<unknown[]> {
  const response = await fetch(`${dev.emr.baseUrl}/Patient/${emrPatientId}/_history`, {
    headers: { authorization: `Bearer ${dev.emr.token}` },
  });
  return ((await response.json()) as { entry: unknown[] }).entry;
}

const activities: Entries<typeof own> = {
  ...eventQueue('intake', 'intake.payment_profile_saved'),
  ensureEmrPatient: async () => {
    const { submissionId, email } = await kept();
    return {
      input: { submissionId },
      answers: { emrPatientId: expect.any(String) },
      seen: async () => (await emrPatients(dev, email)).length,
      once: 1,
    };
  },
  saveSubmission: async () => {
    const { submissionId } = await kept();
    return {
      input: { submissionId, patient: { error: 'EMR is away' } },
      seen: () => submissionOf(submissionId),
      once: [expect.objectContaining({ status: 'pending_emr', retry: 'pending', attempts: 0 })],
    };
  },
  findEmrRetry: async () => ({
    input: { submissionId: await stored() },
    answers: {
      retryId: expect.any(String),
      status: 'pending',
      attempts: 0,
      lastError: 'EMR is away',
      dueAt: expect.any(Number),
    },
  }),
  recordEmrPatient: async () => {
    const submissionId = await stored();
    const named = { paymentMethodId: 'pm_card_visa' };
    await keepCard(db, submissionId, { customerId: 'cus_test', cardId: 'pm_test', named });
    const emrPatientId = randomUUID();
    return {
      input: { submissionId, emrPatientId },
      seen: async () => ({
        submission: await submissionOf(submissionId),
        events: await db`select detail_type from intake.outbox where aggregate_id = ${submissionId}`,
      }),
      once: {
        submission: [expect.objectContaining({ status: 'submitted', emrPatientId, retry: 'completed' })],
        events: [{ detailType: 'intake.payment_profile_saved' }],
      },
    };
  },
  recordFailedEmrRetry: async () => {
    const submissionId = await stored();
    const verdict = { status: 'pending' as const, nextRetryAt: Date.now() + 3_600_000 };
    return {
      input: { submissionId, attempts: 1, error: 'EMR is still away', verdict },
      seen: () => findRetry(db, submissionId),
      once: expect.objectContaining({ status: 'pending', attempts: 1, lastError: 'EMR is still away' }),
    };
  },
  cancelEmrRetry: async () => {
    const submissionId = await stored();
    return {
      input: { submissionId },
      seen: () => findRetry(db, submissionId),
      once: expect.objectContaining({ status: 'failed', lastError: 'Cancelled by an operator' }),
    };
  },
  sendVerificationCode: async () => {
    const [codeId, email] = [randomUUID(), freshEmail()];
    await issueCode(db, { id: codeId, address: codeId, codeHash: 'hash' }, 1);
    return {
      input: { codeId, email, code: '123456', attempt: 1 },
      answers: 'sent',
      seen: () => mailsTo(email),
      once: 1,
    };
  },
  remindOfCheckout: async () => {
    const email = freshEmail();
    return {
      input: { email, codeId: randomUUID(), since: new Date().toISOString(), attempt: 1 },
      answers: 'sent',
      seen: () => mailsTo(email),
      once: 1,
    };
  },
  findPatientByEmail: async () => {
    const { submissionId, email } = await kept();
    const other = await kept({ email, lastName: 'Stranger' });
    const otherPatientId = await running((intake) => own.createIntakePatient(intake), other);
    return {
      input: { submissionId },
      answers: null,
      seen: () => db`select other_patient_id from intake.own_patient where submission_id = ${submissionId}`,
      once: [{ otherPatientId }],
    };
  },
  createIntakePatient: async () => {
    const { submissionId, email } = await kept();
    return {
      input: { submissionId },
      answers: expect.any(String),
      seen: async () => (await emrPatients(dev, email)).length,
      once: 1,
    };
  },
};

export const intake: Record<string, Entry> = {
  ...activities,
  ...consuming('intake', {
    ...sessionEvents('intake'),
    'intake.contact_confirmed': async () => {
      const { id } = await newPatient(dev);
      const { submissionId } = await kept({}, true);
      await own.saveSubmission({ submissionId, patient: { emrPatientId: id } });
      return {
        event: eventOf('intake', 'intake.contact_confirmed', { submissionId }),
        seen: async () => (await versionsOf(id)).length,
        once: 2,
      };
    },
  }),
};
