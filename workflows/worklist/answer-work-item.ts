import { setCurrentDetails } from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/worklist/answers.js';
import { failureTypes } from '../../domain/failures.js';
import type { GivenAnswer } from '../../domain/work-items.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';

/** Waits out an outage of the service that opened the item (D114). */
const owners = ordinary<Pick<AnswerActivities, 'handAnswer'>>({
  startToCloseTimeout: '25 s',
  retry: { maximumInterval: '30 s' },
});
const records = ownTransactions<Pick<AnswerActivities, 'recordAnswer'>>();

/**
 * Sends a person's answer to the service that opened the item, until it returns a result (D109).
 * @returns the reason for a rejection; null: the item is closed
 */
export async function answerWorkItem(given: GivenAnswer): Promise<{ refusal: string | null }> {
  const refusal = await refusalOf(given);
  const { itemId, answer, by } = given;
  await records('Record the answer').recordAnswer({ itemId, answer, by, refusal });
  setCurrentDetails(refusal === null ? '**Done.**' : `**Rejected:** ${refusal}`);
  return { refusal };
}

async function refusalOf(given: GivenAnswer): Promise<string | null> {
  try {
    const { state, reason } = await owners(`Answer «${given.answer}»`).handAnswer(given);
    return state === 'done' ? null : (reason ?? 'refused');
  } catch (error) {
    const { type, message } = failureOf(error);
    if (type === failureTypes.rejected) return message;
    throw error;
  }
}
