import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnswerReply, HoldActivities } from '../../activities/router/holds.js';
import { rechecks } from '../handlers.js';
import { answerHoldUpdate } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { clearWaiting, Retries } from '../stuck.js';
import { isSilence, pauseAfter } from './pharmacy-silence.js';

const records = ownRecords<HoldActivities>();
// One call of at most 5.5 s; this run schedules the retries.
const pharmacies = ordinary<HoldActivities>({ startToCloseTimeout: '6 s', retry: { maximumAttempts: 1 } });

/** Longer than any caller waits. */
const answerWithin = '40 s';

type Followed = NonNullable<Awaited<ReturnType<HoldActivities['readHold']>>>;

/**
 * Follows a hold until its release (D100): waits for the client's answer and sends it until the pharmacy accepts or
 * rejects it. The table has the hold, its answers and its release.
 */
export async function followHold(hold: { submissionId: string; holdId: string }): Promise<void> {
  // A cancelled run would leave it unknown if the pharmacy has the answer.
  await CancellationScope.nonCancellable(() => follow(hold));
}

async function follow(hold: { submissionId: string; holdId: string }): Promise<void> {
  /** The pharmacy has accepted or rejected the answers up to this number. */
  let decided = 0;
  const recheck = rechecks();
  setHandler(answerHoldUpdate, async (number) => {
    recheck.note();
    await condition(() => decided >= number, answerWithin);
  });
  let attempts = 0;
  let answer: number | undefined;
  const retries = new Retries();
  for (;;) {
    recheck.clear();
    const followed = await records('Read the hold').readHold(hold);
    if (!followed || followed.state === 'released') {
      decided = Number.POSITIVE_INFINITY;
      retries.succeeded();
      await condition(allHandlersFinished);
      // No await between this check and the end of the run.
      if (recheck.isDue()) continue;
      clearWaiting();
      setCurrentDetails('**Released.** The pharmacy continues with the order, or has ended it.');
      return;
    }
    const { number, isUnderWay } = followed;
    if (!isUnderWay) {
      decided = number;
      retries.succeeded();
      showWaiting(followed);
      await condition(recheck.isDue);
    } else {
      attempts = number === answer ? attempts + 1 : 1;
      answer = number;
      const reply = await sendAnswer({ ...hold, number }, followed, attempts, retries);
      if (reply === undefined) {
        showSilent(followed, attempts);
        retries.failed({ step: 'handOverAnswer', pauseMs: pauseAfter(attempts) });
        await condition(recheck.isDue, pauseAfter(attempts));
      } else if (reply !== 'over') {
        const refusal = reply.taken ? null : reply.error;
        const what = reply.taken ? 'accepted' : 'rejected';
        await records(`Record that it was ${what}`).recordHoldReply({ ...hold, number, refusal });
      }
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew(hold);
  }
}

/** Sends the answer. @returns the pharmacy's reply, if any */
async function sendAnswer(
  answer: { submissionId: string; holdId: string; number: number },
  { pharmacy }: Followed,
  attempt: number,
  retries: Retries,
): Promise<AnswerReply | undefined> {
  setCurrentDetails(`Sending the answer to **${pharmacy}**, attempt ${attempt}.`);
  for (let outages = 0; ; outages += 1) {
    try {
      return await pharmacies(`Answer ${pharmacy}, attempt ${attempt}`).handOverAnswer(answer);
    } catch (error) {
      if (isSilence(error)) return undefined;
    }
    setCurrentDetails('**A fault of our own delays the answer to the pharmacy.** A retry follows.');
    await retries.waitOutFault('handOverAnswer', outages);
  }
}

function showWaiting({ state, code, until, pharmacy }: Followed): void {
  if (state === 'answered') {
    clearWaiting();
    setCurrentDetails(`**Answered.** ${pharmacy} has the answer. Waiting for the release of the order.`);
    return;
  }
  upsertSearchAttributes([{ key: rxWaiting, value: 'pharmacy_hold' }]);
  setCurrentDetails(
    [
      `**${pharmacy} holds the order: ${code}**${until === null ? '' : `, until ${until}`}.`,
      'Waiting for an answer: at the desk (work item `pharmacy_hold`), or from the client that ordered (`POST /rx/prescriptions/<submission>/holds/<hold>/answer`).',
      'The pharmacy releases the hold when it continues; shipping, delivery and cancellation also release it.',
    ].join('\n\n'),
  );
}

function showSilent({ pharmacy }: Followed, attempts: number): void {
  setCurrentDetails(
    [
      `**${pharmacy} has not replied to the answer after ${attempts} attempts.**`,
      `The next attempt follows in ${Math.ceil(pauseAfter(attempts) / 1000)} s, until the pharmacy replies or releases the hold.`,
    ].join('\n\n'),
  );
}
