import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnswerReply, HoldActivities } from '../../activities/router/holds.js';
import { answerHoldUpdate, recheckSignal } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { Retries } from '../stuck.js';
import { isSilence, pauseAfter } from './pharmacy-silence.js';

const records = ownRecords<HoldActivities>();
// One call of at most 5.5 s; when the next one is due is this run's own business.
const pharmacies = ordinary<HoldActivities>({ startToCloseTimeout: '6 s', retry: { maximumAttempts: 1 } });

/** Longer than any caller waits: whoever asks after that reads the table. */
const answerWithin = '40 s';

type Followed = NonNullable<Awaited<ReturnType<HoldActivities['readHold']>>>;

/**
 * Follows a pharmacy's question from its opening to its release (D100): waits for the client's answer and hands it over
 * until the pharmacy has taken or refused it. The table says what was asked, answered and released; a nudge means that
 * there is something new in it.
 */
export async function followHold(hold: { submissionId: string; holdId: string }): Promise<void> {
  // Broken off half-way it would leave an answer of which nobody knows whether the pharmacy has it.
  await CancellationScope.nonCancellable(() => follow(hold));
}

async function follow(hold: { submissionId: string; holdId: string }): Promise<void> {
  let nudged = false;
  /** Answers up to this number are not on their way any more. */
  let settled = 0;
  setHandler(recheckSignal, () => void (nudged = true));
  setHandler(answerHoldUpdate, async (number) => {
    nudged = true;
    await condition(() => settled >= number, answerWithin);
  });
  const isNudged = () => nudged;
  let attempts = 0;
  let answer: number | undefined;
  const retries = new Retries();
  for (;;) {
    nudged = false;
    const followed = await records('Look at the hold').readHold(hold);
    if (!followed || followed.state === 'released') {
      settled = Number.POSITIVE_INFINITY;
      retries.succeeded();
      await condition(allHandlersFinished);
      // Nothing may be awaited between this look at the signal and the end of the run.
      if (isNudged()) continue;
      showReleased();
      return;
    }
    const { number, isUnderWay } = followed;
    if (!isUnderWay) {
      settled = number;
      retries.succeeded();
      showWaiting(followed);
      await condition(isNudged);
    } else {
      attempts = number === answer ? attempts + 1 : 1;
      answer = number;
      const reply = await handOver({ ...hold, number }, followed, attempts, retries);
      if (reply === undefined) {
        showSilent(followed, attempts);
        retries.failed({ step: 'handOverAnswer', pauseMs: pauseAfter(attempts) });
        await condition(isNudged, pauseAfter(attempts));
      } else if (reply !== 'over') {
        const refusal = reply.taken ? null : reply.error;
        const what = reply.taken ? 'taken' : 'refused';
        await records(`Record that it was ${what}`).recordHoldReply({ ...hold, number, refusal });
      }
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew(hold);
  }
}

/** What the pharmacy says to the answer; undefined where it says nothing. */
async function handOver(
  answer: { submissionId: string; holdId: string; number: number },
  { pharmacy }: Followed,
  attempt: number,
  retries: Retries,
): Promise<AnswerReply | undefined> {
  setCurrentDetails(`Handing the answer to **${pharmacy}**, attempt ${attempt}.`);
  for (let outages = 0; ; outages += 1) {
    try {
      return await pharmacies(`Answer ${pharmacy}, attempt ${attempt}`).handOverAnswer(answer);
    } catch (error) {
      if (isSilence(error)) return undefined;
    }
    setCurrentDetails(
      '**A fault of our own keeps the answer from the pharmacy.** It is tried again by itself.',
    );
    const pauseMs = Math.min(2 ** outages, 30) * 1_000;
    retries.failed({ step: 'handOverAnswer', pauseMs });
    await sleep(pauseMs);
  }
}

function showWaiting({ state, code, until, pharmacy }: Followed): void {
  if (state === 'answered') {
    clearWaiting();
    setCurrentDetails(`**Answered.** ${pharmacy} has the answer; its release of the order is awaited.`);
    return;
  }
  upsertSearchAttributes([{ key: rxWaiting, value: 'pharmacy_hold' }]);
  setCurrentDetails(
    [
      `**${pharmacy} has stopped and asks: ${code}**${until === null ? '' : `, until ${until}`}.`,
      "The client's answer is awaited: `POST /rx/prescriptions/<submission>/holds/<hold>/answer`. It goes to the pharmacy from here.",
      'The pharmacy releases the order when it goes on; shipping, delivery and cancellation release it too.',
    ].join('\n\n'),
  );
}

function showSilent({ pharmacy }: Followed, attempts: number): void {
  setCurrentDetails(
    [
      `**${pharmacy} has not taken the answer after ${attempts} attempts.**`,
      `It is tried again in ${Math.ceil(pauseAfter(attempts) / 1000)} s, until the pharmacy takes or refuses it, or releases the order.`,
    ].join('\n\n'),
  );
}

function showReleased(): void {
  clearWaiting();
  setCurrentDetails('**Released.** The pharmacy goes on with the order, or has ended it.');
}

function clearWaiting(): void {
  if (workflowInfo().typedSearchAttributes.get(rxWaiting) !== undefined)
    upsertSearchAttributes([{ key: rxWaiting, value: null }]);
}
