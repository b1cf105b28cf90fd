import {
  completeRetry,
  type FailedRetry,
  cancelRetry,
  findRetry,
  recordFailedRetry,
} from '../../db/intake/retry-queue.js';
import {
  dropIntake,
  findIntakeBody,
  findReceivedIntake,
  findStoredHash,
  storeSubmission,
} from '../../db/intake/submissions.js';
import type { Sql } from '../../db/client.js';
import { isRefusedByDatabase } from '../../db/constraints.js';
import { failureTypes } from '../../domain/failures.js';
import { identityOf, identityText, namesakeText } from '../../domain/intake/identity.js';
import { type EmrAttempt, type Intake, intakeOf, notSavedText } from '../../domain/intake/intake.js';
import { callLimits, permanentFailure } from '../calls.js';

export interface IntakeDependencies {
  sql: Sql;
  /** Updates the run of a person's EMR patient and waits for at most `timeoutMs`. */
  findOrCreatePatient: (intake: {
    submissionId: string;
    person: string;
    namesake: string;
    timeoutMs: number;
  }) => Promise<EmrAttempt>;
}

export const createIntakeActivities = ({ sql, findOrCreatePatient }: IntakeDependencies) => ({
  /**
   * Makes one attempt to have the patient in the EMR. An error of the EMR is a result; only our own faults are
   * thrown. Safe to retry: one run per person looks up the patient before it creates one.
   */
  async ensureEmrPatient({ submissionId }: { submissionId: string }): Promise<EmrAttempt> {
    const identity = identityOf(keptIntake(await findIntakeBody(sql, submissionId)));
    const [person, namesake] = [identityText(identity), namesakeText(identity)];
    return findOrCreatePatient({ submissionId, person, namesake, timeoutMs: callLimits().timeoutMs });
  },

  /**
   * Stores the submission, with a retry entry if it has no patient yet (page 2, POST /submit, steps 6 and 7). Safe to
   * retry: the first attempt stores it.
   * @throws Rejected when the database rejects it, with nothing stored
   */
  async saveSubmission({
    submissionId,
    patient,
  }: {
    submissionId: string;
    patient: EmrAttempt;
  }): Promise<void> {
    const received = await findReceivedIntake(sql, submissionId);
    if (!received) {
      if ((await findStoredHash(sql, submissionId)) !== undefined) return;
      throw permanentFailure(failureTypes.notFound, 'The body of the intake is gone');
    }
    const { firstName, lastName, email, phone, state, intakeType, couponCode } = keptIntake(received.body);
    const submission = {
      firstName,
      lastName,
      email: email.toLowerCase(),
      phone,
      state: state.toUpperCase(),
      intakeType,
      // An empty code means none; stored, it would be a coupon that no charge can use.
      couponCode: couponCode === '' ? null : (couponCode ?? null),
    };
    try {
      await storeSubmission(sql, received, submission, patient);
    } catch (error) {
      if (!isRefusedByDatabase(error)) throw error;
      await dropIntake(sql, submissionId);
      throw permanentFailure(failureTypes.rejected, notSavedText);
    }
  },

  /** Finds the retry entry of a submission; null when it has none. Safe to retry: it only reads. */
  async findEmrRetry({ submissionId }: { submissionId: string }) {
    const retry = await findRetry(sql, submissionId);
    if (!retry) return null;
    const { id: retryId, status, attempts, lastError, nextRetryAt } = retry;
    return { retryId, status, attempts, lastError, dueAt: nextRetryAt?.getTime() ?? null };
  },

  /**
   * Gives a submission its EMR patient, closes the retry entry, and publishes a card saved meanwhile (D64). Safe to
   * retry: the first attempt does it all, in one transaction.
   */
  recordEmrPatient: (found: { submissionId: string; emrPatientId: string }) => completeRetry(sql, found),

  /** Records a failed attempt. Safe to retry: an attempt counts once. */
  recordFailedEmrRetry: (failed: FailedRetry) => recordFailedRetry(sql, failed),

  /** Ends the retries because their run was cancelled. Safe to retry: an ended entry stays as it is. */
  cancelEmrRetry: ({ submissionId }: { submissionId: string }) =>
    cancelRetry(sql, submissionId, 'Cancelled by an operator'),
});

export type IntakeActivities = ReturnType<typeof createIntakeActivities>;
/** `dueAt` is epoch milliseconds. */
export type RetryState = NonNullable<Awaited<ReturnType<IntakeActivities['findEmrRetry']>>>;

/** @throws NotFound once retention has deleted the body */
export function keptIntake(body: string | undefined): Intake {
  if (body === undefined) throw permanentFailure(failureTypes.notFound, 'The body of the intake is gone');
  return intakeOf(body);
}
