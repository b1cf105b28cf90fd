import {
  allHandlersFinished,
  condition,
  defineUpdate,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { IntakePatientActivities } from '../activities/intake/emr-patients.js';
import { failureTypes } from '../domain/failures.js';
import { failureOf, ordinary } from './proxies.js';

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
}

/** Answers with the EMR's id of the patient. */
export const findOrCreateUpdate = defineUpdate<string, [IntakeReference]>('findOrCreate');

/** Started together with an update, so that one is there already, or on its way again. */
const firstUpdateWithin = '1 minute';

/**
 * The one place where patients of an e-mail address are made: servers differ in what they do with two conditional
 * creates at once, so here there is only ever one (reliability point 3). All who ask while an attempt is under way
 * share what comes of it. Ends when nobody is left.
 */
export async function findOrCreateEmrPatient(): Promise<void> {
  let isAsked = false;
  let underWay: Promise<string> | undefined;
  setHandler(findOrCreateUpdate, async (intake) => {
    isAsked = true;
    while (underWay) {
      try {
        return await underWay;
      } catch (error) {
        // That it was refused says something of the other's data, and nothing of ours.
        if (failureOf(error).type === failureTypes.unavailable) throw error;
      }
    }
    underWay = findOrCreate(intake);
    try {
      return await underWay;
    } finally {
      underWay = undefined;
    }
  });
  if (!isAsked) await condition(() => isAsked, firstUpdateWithin);
  // Nothing may be awaited between this and the end: who asks later starts the next run.
  await condition(allHandlersFinished);
}

async function findOrCreate(intake: IntakeReference): Promise<string> {
  setCurrentDetails('Looking for the patient in the **EMR**.');
  const known = await searches('1/3 Look for the patient').findPatientByEmail(intake);
  if (known !== null) return known;
  try {
    const created = await creates('2/3 Create the patient').createIntakePatient(intake);
    // Another system may have been as quick: then all go by the one that is found first.
    const found = await searches('3/3 Look again')
      .findPatientByEmail(intake)
      .catch(() => null);
    return found ?? created;
  } catch (error) {
    // Refused, or done and the answer lost: only another look tells.
    const found = await searches('3/3 Look for what was not answered')
      .findPatientByEmail(intake)
      .catch(() => null);
    if (found === null) throw error;
    return found;
  }
}
