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
import {
  type Answer,
  updateWithStart,
  startOrJoin,
  signalRecheck,
  type Outcome,
  type Run,
  signal,
} from './runs.js';

const submitting = (intake: IntakeRun): Run<'submitIntake'> => ({
  workflow: 'submitIntake',
  id: intakeWorkflowId(intake.submissionId),
  queue: 'intake',
  args: [intake],
  attributes: [{ key: rxSubmission, value: intake.submissionId }],
  summary: 'Intake',
  details: `**Submission** ${intake.submissionId}`,
});

/** Has a kept intake submitted, and waits until it is settled whether it is stored; `ended`: it was stored before (D63). */
export const storeIntake = (
  temporal: Client,
  submissionId: string,
  withinMs: number,
): Promise<Answer<boolean>> =>
  updateWithStart(
    temporal,
    { ...submitting({ submissionId }), once: true },
    { update: storedUpdate, args: [], withinMs },
  );

/** Tells the run of a stored intake to look at its retry entry. */
export const resumeIntake = (temporal: Client, submissionId: string): Promise<void> =>
  signalRecheck(temporal, submitting({ submissionId, isStored: true }));

/** Hands a verification code to the notification service, for as long as it can be entered (D65). */
export const sendCode = (
  temporal: Client,
  code: Run<'sendCode'>['args'][0],
  withinMs: number,
): Promise<Outcome<'sent' | 'obsolete'>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'sendCode',
      id: verificationCodeWorkflowId(code.codeId),
      queue: 'intake',
      args: [code],
      summary: 'Verification code',
      details: 'Hands a code to the notification service, for as long as the code can be entered.',
    },
    withinMs,
  );

/** An intake has begun: whoever does not submit it within 30 minutes is reminded (D66). @param emailKey keyed hash of the address */
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
    summary: 'An intake under way',
    details: 'Reminds the person when it is not submitted within 30 minutes.',
  };
  await startOrJoin(temporal, run, 0);
}

/** The intake of an address was submitted, so nobody is reminded. @returns whether a checkout was under way */
export const endCheckout = (temporal: Client, emailKey: string, withinMs: number): Promise<boolean> =>
  signal(temporal, checkoutWorkflowId(emailKey), { message: submittedSignal, args: [], withinMs });

const tooLate: EmrAttempt = { error: 'EMR did not answer in time' };

/**
 * Makes the function that asks the run that looks after a person's EMR patient, and starts it where there is none.
 * Those of this process who ask about the same person at once take the patient that the first of them is given:
 * Temporal lets only ten updates wait for one run, and lets the next come back after a second.
 */
export function patientFinder(temporal: Client, idHashSecret: string) {
  const underWay = new Map<string, Promise<EmrAttempt | undefined>>();

  return async ({
    submissionId,
    person,
    namesake,
    timeoutMs,
  }: {
    submissionId: string;
    /** What its intakes have in common (`identityText`). */
    person: string;
    /** What tells twins apart (`namesakeText`). */
    namesake: string;
    timeoutMs: number;
  }): Promise<EmrAttempt> => {
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
