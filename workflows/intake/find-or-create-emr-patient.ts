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

// One try each: who asks decides when to ask again. A search of at most 2 s, a create of 4 s: what /submit waits for is
// 5 s (D63), and one that takes longer is found by the next search.
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
  namesakeKey?: string;
}

/** Started together with an update, so that one is there already, or on its way again. */
const firstUpdateWithin = '1 minute';

/**
 * The one place where the patients of a person are made, under one e-mail address: servers differ in what they do with
 * two conditional creates at once, so here there is only ever one (reliability point 3). All intakes of that person that
 * ask while an attempt is under way share what comes of it. Ends when nobody is left.
 */
export async function findOrCreateEmrPatient(): Promise<void> {
  let isAsked = false;
  let underWay: { attempt: Promise<EmrAttempt | undefined>; namesakeKey: string | undefined } | undefined;
  setHandler(findOrCreateUpdate, async (intake) => {
    isAsked = true;
    while (underWay) {
      const { attempt, namesakeKey } = underWay;
      const shared = await attempt;
      if (shared && namesakeKey === intake.namesakeKey) return shared;
    }
    const own = findOrCreate(intake);
    const attempt = own.then(forOthers, () => undefined).finally(() => (underWay = undefined));
    underWay = { attempt, namesakeKey: intake.namesakeKey };
    return own;
  });
  const isBegun = () => isAsked;
  if (!isBegun()) await condition(isBegun, firstUpdateWithin);
  // Nothing may be awaited between this and the end: who asks later starts the next run.
  await condition(allHandlersFinished);
}

/** A refusal says something of the data of one intake, and nothing of another's. */
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
    // Another system may have been as quick: then all go by the one that is found first.
    return (await lookAgain(intake)) ?? created;
  } catch (error) {
    // Refused, or done and the answer lost: only another look tells.
    const found = await lookAgain(intake);
    if (found === null) throw error;
    return found;
  }
}

const lookAgain = (intake: IntakeReference): Promise<string | null> =>
  searches('3/3 Look again')
    .findPatientByEmail(intake)
    .catch(() => null);

/** @throws what is not the EMR's doing */
function emrFailure(error: unknown): EmrAttempt {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) throw error;
  if (cause.type === failureTypes.unavailable) return { error: cause.message };
  if (cause.type === failureTypes.rejected) return { error: cause.message, isRefused: true };
  throw error;
}
