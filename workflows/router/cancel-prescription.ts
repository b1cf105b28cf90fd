import {
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  AwaitedCancellation,
  CancelAttempt,
  CancellationActivities,
} from '../../activities/router/cancellations.js';
import type { UnknownOrderActivities } from '../../activities/router/unknown-orders.js';
import { recheckSignal } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { Retries } from '../stuck.js';
import { isSilence, pauseAfter } from './pharmacy-silence.js';

const records = ownRecords<CancellationActivities>();
// One call of at most 5.5 s; when the next one is due is this run's own business.
const pharmacies = ordinary<CancellationActivities & UnknownOrderActivities>({
  startToCloseTimeout: '6 s',
  retry: { maximumAttempts: 1 },
});

/**
 * Takes a prescription back from its pharmacy (D101): asks until the pharmacy has answered, for the hours it is given;
 * then a person is asked too, and the run waits. What is asked for stands in the table, and so does what has settled it
 * meanwhile: that the order has shipped, was delivered or cancelled.
 */
export async function cancelPrescription(submissionId: string): Promise<void> {
  // Broken off half-way it would leave an order of which nobody knows whether it is cancelled.
  await CancellationScope.nonCancellable(() => takeBack(submissionId));
}

async function takeBack(submissionId: string): Promise<void> {
  let nudged = false;
  setHandler(recheckSignal, () => void (nudged = true));
  const isNudged = () => nudged;
  let attempts = 0;
  let request: number | undefined;
  const retries = new Retries();
  for (;;) {
    nudged = false;
    const awaited = await records('Look at what is asked').readCancellation({ submissionId });
    if (!awaited) {
      // Nothing may be awaited between this look at the signal and the end of the run: what is asked later starts the next.
      if (isNudged()) continue;
      retries.succeeded();
      showSettled();
      return;
    }
    const { number, pharmacy, askUntil } = awaited;
    attempts = number === request ? attempts + 1 : 1;
    request = number;
    setCurrentDetails(`Asking **${pharmacy}** to cancel the order, attempt ${attempts}.`);
    const word = await ask(submissionId, awaited, attempts, retries);
    if (word?.state === 'approved' || word?.state === 'denied') {
      const answered = { submissionId, number, answer: word };
      await records(`Record that it is ${word.state}`).recordCancellation(answered);
    } else if (word?.state === 'placing') {
      setCurrentDetails(`**The order is still being placed** with ${pharmacy}; it is cancelled then.`);
      await condition(isNudged, pauseAfter(attempts));
    } else if (word === undefined && awaited.shippedMeanwhile) {
      // The pharmacy had its chance to say otherwise.
      const answer = { state: 'denied', reason: 'already_shipped' } as const;
      await records('Record that it has shipped').recordCancellation({ submissionId, number, answer });
    } else if (word === undefined && Date.now() >= askUntil) {
      const { workflowId } = workflowInfo();
      await records('Ask a person').reportCancellation({ submissionId, number, workflowId });
      // What waits for a person is tried no longer.
      retries.succeeded();
      showWaiting(awaited, attempts);
      await condition(isNudged);
    } else if (word === undefined) {
      const pauseMs = Math.min(pauseAfter(attempts), askUntil - Date.now());
      showSilent(awaited, attempts, pauseMs);
      retries.failed({ step: 'cancelOrder', pauseMs });
      await condition(isNudged, pauseMs);
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(submissionId);
  }
}

/** The pharmacy's word; undefined where it gave none. */
async function ask(
  submissionId: string,
  { number, pharmacy }: AwaitedCancellation,
  attempt: number,
  retries: Retries,
): Promise<CancelAttempt | undefined> {
  for (let outages = 0; ; outages += 1) {
    try {
      const word = await pharmacies(`Ask ${pharmacy} to cancel, attempt ${attempt}`).cancelOrder({
        submissionId,
        number,
      });
      if (word.state !== 'unknown') return word;
      const order = { submissionId, claimId: word.claimId };
      const found = await pharmacies(`Ask ${pharmacy} whether it has the order`).askForOrder(order);
      if (found === 'unanswered') return undefined;
      if (found === 'absent') return { state: 'denied', reason: 'not_found' };
      // What was found stands in the table now.
      continue;
    } catch (error) {
      if (isSilence(error)) return undefined;
    }
    // A fault of our own, as a database that is away, says nothing of the pharmacy (D34).
    setCurrentDetails(
      '**A fault of our own keeps the question from the pharmacy.** It is tried again by itself.',
    );
    const pauseMs = Math.min(2 ** outages, 30) * 1_000;
    retries.failed({ step: 'cancelOrder', pauseMs });
    await sleep(pauseMs);
  }
}

function showSilent({ pharmacy, askUntil }: AwaitedCancellation, attempts: number, pauseMs: number): void {
  setCurrentDetails(
    [
      `**${pharmacy} has not answered the cancellation after ${attempts} attempts.**`,
      `It is asked again in ${Math.ceil(pauseMs / 1000)} s, until ${new Date(askUntil).toISOString()}; then a person is asked.`,
      'What it reports of the order settles it too.',
    ].join('\n\n'),
  );
}

function showWaiting({ pharmacy }: AwaitedCancellation, attempts: number): void {
  upsertSearchAttributes([{ key: rxWaiting, value: 'cancellation_unanswered' }]);
  setCurrentDetails(
    [
      `**Waiting for a person: ${pharmacy} has not answered the cancellation after ${attempts} attempts.**`,
      'The work item `cancellation_unanswered` is open; the same request asks the pharmacy once more.',
      'What it reports of the order settles it too.',
    ].join('\n\n'),
  );
}

function showSettled(): void {
  if (workflowInfo().typedSearchAttributes.get(rxWaiting) !== undefined)
    upsertSearchAttributes([{ key: rxWaiting, value: null }]);
  setCurrentDetails(
    '**Settled.** The record has what came of it; after a denial the next request starts another run.',
  );
}
