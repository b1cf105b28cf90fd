import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { EmrAttempt } from '../domain/intake/intake.js';
import { keyedHash } from '../platform/crypto/ids.js';
import {
  checkoutWorkflowId,
  emrPatientWorkflowId,
  intakeWorkflowId,
  verificationCodeWorkflowId,
} from '../workflows/ids.js';
import type { IntakeRun } from '../workflows/intake/submit-intake.js';
import { findOrCreateUpdate, storedUpdate, submittedSignal } from '../workflows/messages.js';
import { rxSubmission } from '../workflows/search-attributes.js';
import { updateWithStart, startOrJoin, signalRecheck, type Run, signal } from './runs.js';

const submitting = (intake: IntakeRun): Run<'submitIntake'> => ({
  workflow: 'submitIntake',
  id: intakeWorkflowId(intake.submissionId),
  queue: 'intake',
  args: [intake],
  attributes: [{ key: rxSubmission, value: intake.submissionId }],
  summary: 'Intake',
  details: `**Submission** ${intake.submissionId}`,
});

/** Stores a received intake and waits for the result; `closed`: it was stored before (D63). */
export const storeIntake = (temporal: Client, submissionId: string, withinMs: number) =>
  updateWithStart(
    temporal,
    { ...submitting({ submissionId }), once: true },
    { update: storedUpdate, args: [], withinMs },
  );

/** Signals the run of a stored intake to check its retry entry. */
export const resumeIntake = (temporal: Client, submissionId: string) =>
  signalRecheck(temporal, submitting({ submissionId, isStored: true }));

/** Sends a verification code until it expires (D65). */
export const sendCode = (temporal: Client, code: Run<'sendCode'>['args'][0], withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'sendCode',
      id: verificationCodeWorkflowId(code.codeId),
      queue: 'intake',
      args: [code],
      summary: 'Verification code',
      details: 'Sends a code through the notification service until the code expires.',
    },
    withinMs,
  );

/**
 * Starts the reminder of an intake that is not submitted within 30 minutes (D66).
 * @param emailKey keyed hash of the address
 */
export async function startCheckout(
  temporal: Client,
  emailKey: string,
  checkout: Run<'abandonedCheckout'>['args'][0],
): Promise<void> {
  const run: Run<'abandonedCheckout'> = {
    workflow: 'abandonedCheckout',
    id: checkoutWorkflowId(emailKey),
    queue: 'intake',
    args: [checkout],
    summary: 'Started intake',
    details: 'Reminds the person if it is not submitted within 30 minutes.',
  };
  await startOrJoin(temporal, run, 0);
}

/** Ends the reminder, because the intake was submitted. @returns whether a checkout was open */
export const endCheckout = (temporal: Client, emailKey: string, withinMs: number) =>
  signal(temporal, checkoutWorkflowId(emailKey), { message: submittedSignal, args: [], withinMs });

const tooLate: EmrAttempt = { error: 'EMR did not answer in time' };

/**
 * Returns a function that updates, or starts, the run of a person's EMR patient. Concurrent calls of this process for
 * one person share the first result. Temporal lets only ten updates wait for one run, and delays the next by a
 * second.
 */
export function patientFinder(temporal: Client, idHashSecret: string) {
  const underWay = new Map<string, Promise<EmrAttempt | undefined>>();

  /** `person` comes from `identityText`; `namesake` tells twins apart (`namesakeText`). */
  return async (intake: {
    submissionId: string;
    person: string;
    namesake: string;
    timeoutMs: number;
  }): Promise<EmrAttempt> => {
    const { submissionId, person, namesake, timeoutMs } = intake;
    const deadline = Date.now() + timeoutMs;
    const personKey = keyedHash(idHashSecret, person);
    const namesakeKey = keyedHash(idHashSecret, `${person} ${namesake}`);
    const first = underWay.get(namesakeKey);
    const shared = await Promise.race([first, first && sleep(timeoutMs, undefined, { ref: false })]);
    if (shared && 'emrPatientId' in shared) return shared;
    const withinMs = deadline - Date.now();
    if (withinMs <= 0) return tooLate;

    const asked = findOrCreate(temporal, { submissionId, personKey, namesakeKey, withinMs });
    const own = asked.catch(() => undefined);
    underWay.set(namesakeKey, own);
    try {
      return await asked;
    } finally {
      if (underWay.get(namesakeKey) === own) underWay.delete(namesakeKey);
    }
  };
}

async function findOrCreate(
  temporal: Client,
  {
    personKey,
    withinMs,
    ...intake
  }: { submissionId: string; personKey: string; namesakeKey: string; withinMs: number },
): Promise<EmrAttempt> {
  const run: Run<'findOrCreateEmrPatient'> = {
    workflow: 'findOrCreateEmrPatient',
    id: emrPatientWorkflowId(personKey),
    queue: 'intakeEmr',
    args: [],
    summary: 'EMR patient of a person',
    details: 'Looks for the patient and creates one if there is none, one attempt at a time.',
  };
  const answer = await updateWithStart(temporal, run, {
    update: findOrCreateUpdate,
    args: [intake],
    withinMs,
  });
  return answer.state === 'completed' ? answer.result : tooLate;
}
