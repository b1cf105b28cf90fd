import { setCurrentDetails } from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/worklist/answers.js';
import { failureTypes } from '../../domain/failures.js';
import type { GivenAnswer } from '../../domain/work-items.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';

/** The service whose item it is may be away, which costs waiting and nothing else (D114). */
const owners = ordinary<Pick<AnswerActivities, 'handAnswer'>>({
  startToCloseTimeout: '25 s',
  retry: { maximumInterval: '30 s' },
});
const records = ownTransactions<Pick<AnswerActivities, 'recordAnswer'>>();

/**
 * Brings a person's answer to the service whose item it is, until that service has said what came of it (D109).
 * @returns why it was refused; null: done, and the item is closed
 */
export async function answerWorkItem(given: GivenAnswer): Promise<{ refusal: string | null }> {
  const refusal = await refusalOf(given);
  const { itemId, answer, by } = given;
  await records('Record the answer').recordAnswer({ itemId, answer, by, refusal });
  setCurrentDetails(refusal === null ? '**Done.**' : `**Refused:** ${refusal}`);
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
