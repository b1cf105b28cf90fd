import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { IntakePatientActivities } from '../../activities/intake/emr-patients.js';
import { failureTypes } from '../../domain/failures.js';
import type { EmrAttempt } from '../../domain/intake/intake.js';
import { findOrCreateUpdate } from '../messages.js';
import { ordinary } from '../proxies.js';

// One try each; callers retry. /submit waits 5 s (D63), and the next search finds a slow create.
const searches = ordinary<IntakePatientActivities>({
  startToCloseTimeout: '2500 ms',
  retry: { maximumAttempts: 1 },
});
const creates = ordinary<IntakePatientActivities>({
  startToCloseTimeout: '4500 ms',
  retry: { maximumAttempts: 1 },
});

export interface IntakeReference {
  submissionId: string;
  /** Hash of what tells apart people of one address, family name and birth date, such as twins (D148). */
  namesakeKey: string;
}

/**
 * Creates the EMR patients of one e-mail address, one at a time. EMR servers differ in how they handle concurrent
 * conditional creates (reliability point 3). Concurrent intakes of the person share an attempt's result.
 */
export async function findOrCreateEmrPatient(): Promise<void> {
  let isCalled = false;
  let current: { attempt: Promise<EmrAttempt | undefined>; namesakeKey: string } | undefined;
  setHandler(findOrCreateUpdate, async (intake) => {
    isCalled = true;
    while (current) {
      const { attempt, namesakeKey } = current;
      const shared = await attempt;
      if (shared && namesakeKey === intake.namesakeKey) return shared;
    }
    const own = findOrCreate(intake);
    const attempt = own.then(forOthers, () => undefined).finally(() => (current = undefined));
    current = { attempt, namesakeKey: intake.namesakeKey };
    return own;
  });
  const isBegun = () => isCalled;
  if (!isBegun()) await condition(isBegun, '1 minute');
  // No await between this and the end: a later update starts the next run.
  await condition(allHandlersFinished);
}

/** A rejection concerns the data of one intake only. */
const forOthers = (attempt: EmrAttempt): EmrAttempt | undefined =>
  'error' in attempt && attempt.isRefused ? undefined : attempt;

async function findOrCreate(intake: IntakeReference): Promise<EmrAttempt> {
  setCurrentDetails('Looking for the patient in the **EMR**.');
  try {
    const known = await searches('1/3 Look for the patient').findPatientByEmail(intake);
    return { emrPatientId: known ?? (await create(intake)) };
  } catch (error) {
    return emrFailure(error);
  }
}

async function create(intake: IntakeReference): Promise<string> {
  try {
    const created = await creates('2/3 Create the patient').createIntakePatient(intake);
    // Another system may have created one too; the first found counts for all.
    return (await lookAgain(intake)) ?? created;
  } catch (error) {
    // The answer may be lost after a successful create.
    const found = await lookAgain(intake);
    if (found === null) throw error;
    return found;
  }
}

const lookAgain = (intake: IntakeReference): Promise<string | null> =>
  searches('3/3 Look again')
    .findPatientByEmail(intake)
    .catch(() => null);

/** @throws any failure that is not the EMR's */
function emrFailure(error: unknown): EmrAttempt {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) throw error;
  if (cause.type === failureTypes.unavailable) return { error: cause.message };
  if (cause.type === failureTypes.rejected) return { error: cause.message, isRefused: true };
  throw error;
}
