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
import {
  type EmrAttempt,
  type Intake,
  intakeOf,
  notSavedText,
  type RetryStatus,
} from '../../domain/intake/intake.js';
import { callLimits } from '../call-limits.js';
import { permanentFailure } from '../failures.js';

export interface IntakeDependencies {
  sql: Sql;
  /** Asks the run that looks after a person's EMR patient, and waits for at most `timeoutMs`. */
  findOrCreatePatient: (intake: {
    submissionId: string;
    person: string;
    namesake: string;
    timeoutMs: number;
  }) => Promise<EmrAttempt>;
}

/** Says where the retries of a submission stand; `dueAt` is epoch milliseconds. */
export interface RetryState {
  retryId: string;
  status: RetryStatus;
  attempts: number;
  lastError: string | null;
  dueAt: number | null;
}

export const createIntakeActivities = ({ sql, findOrCreatePatient }: IntakeDependencies) => ({
  /**
   * One attempt at having the patient in the EMR. What the EMR does is a result; what fails is a fault of our own.
   *
   * Safe to retry: the patients of a person are looked after by one run at a time, which looks before it creates.
   */
  async ensureEmrPatient({ submissionId }: { submissionId: string }): Promise<EmrAttempt> {
    const identity = identityOf(keptIntake(await findIntakeBody(sql, submissionId)));
    const [person, namesake] = [identityText(identity), namesakeText(identity)];
    return findOrCreatePatient({ submissionId, person, namesake, timeoutMs: callLimits().timeoutMs });
  },

  /**
   * Stores the submission, with the retry entry where it has no patient yet (page 2, POST /submit, steps 6 and 7).
   * @throws Rejected when the database refuses it, with nothing stored
   *
   * Safe to retry: the first time stores it.
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
      // An empty one is none: kept, it would be a coupon that no charge can use.
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

  /** Finds where the retries of a submission stand; null when it needs none. Safe to retry: it only reads. */
  async findEmrRetry({ submissionId }: { submissionId: string }): Promise<RetryState | null> {
    const retry = await findRetry(sql, submissionId);
    if (!retry) return null;
    const { id: retryId, status, attempts, lastError, nextRetryAt } = retry;
    return { retryId, status, attempts, lastError, dueAt: nextRetryAt?.getTime() ?? null };
  },

  /**
   * Gives a submission its EMR patient, closes the retry entry, and hands a card saved meanwhile on (D64).
   *
   * Safe to retry: the first time does it all, in one transaction.
   */
  async recordEmrPatient(found: { submissionId: string; emrPatientId: string }): Promise<void> {
    await completeRetry(sql, found);
  },

  /** Records an attempt that failed. Safe to retry: an attempt counts once. */
  async recordFailedEmrRetry(failed: FailedRetry): Promise<void> {
    await recordFailedRetry(sql, failed);
  },

  /** Ends the retries because their run was cancelled. Safe to retry: an entry that has ended stays as it is. */
  async cancelEmrRetry({ submissionId }: { submissionId: string }): Promise<void> {
    await cancelRetry(sql, submissionId, 'Cancelled by an operator');
  },
});

export type IntakeActivities = ReturnType<typeof createIntakeActivities>;

function keptIntake(body: string | undefined): Intake {
  if (body === undefined) throw permanentFailure(failureTypes.notFound, 'The body of the intake is gone');
  return intakeOf(body);
}
