import {
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  AwaitedCancellation,
  CancelAttempt,
  CancellationActivities,
} from '../../activities/router/cancellations.js';
import type { UnknownOrderActivities } from '../../activities/router/unknown-orders.js';
import { rechecks } from '../handlers.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { clearWaiting, Retries } from '../stuck.js';
import { isSilence, pauseAfter } from './pharmacy-silence.js';

const records = ownRecords<CancellationActivities>();
// One call of at most 5.5 s; this run schedules the retries.
const pharmacies = ordinary<CancellationActivities & UnknownOrderActivities>({
  startToCloseTimeout: '6 s',
  retry: { maximumAttempts: 1 },
});

/**
 * Requests the cancellation of a prescription from its pharmacy (D101) until an answer or a deadline, after which a
 * work item opens. The table has the request, and any order status that decides it meanwhile.
 */
export async function cancelPrescription(submissionId: string): Promise<void> {
  // A cancelled run would leave the outcome of the request unknown.
  await CancellationScope.nonCancellable(() => requestCancellation(submissionId));
}

async function requestCancellation(submissionId: string): Promise<void> {
  const recheck = rechecks();
  let attempts = 0;
  let request: number | undefined;
  const retries = new Retries();
  for (;;) {
    recheck.clear();
    const awaited = await records('Read the request').readCancellation({ submissionId });
    if (!awaited) {
      // No await between this check and the end of the run: a later request starts the next run.
      if (recheck.isDue()) continue;
      retries.succeeded();
      clearWaiting();
      setCurrentDetails(
        '**Decided.** The record has the result; after a denial, a new request starts another run.',
      );
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
      setCurrentDetails(`**The order is still being placed** with ${pharmacy}; the cancellation follows.`);
      await condition(recheck.isDue, pauseAfter(attempts));
    } else if (word === undefined && awaited.shippedMeanwhile) {
      const answer = { state: 'denied', reason: 'already_shipped' } as const;
      await records('Record that it has shipped').recordCancellation({ submissionId, number, answer });
    } else if (word === undefined && Date.now() >= askUntil) {
      const { workflowId } = workflowInfo();
      await records('Open a work item').reportCancellation({ submissionId, number, workflowId });
      retries.succeeded();
      showWaiting(awaited, attempts);
      await condition(recheck.isDue);
    } else if (word === undefined) {
      const pauseMs = Math.min(pauseAfter(attempts), askUntil - Date.now());
      showSilent(awaited, attempts, pauseMs);
      retries.failed({ step: 'cancelOrder', pauseMs });
      await condition(recheck.isDue, pauseMs);
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(submissionId);
  }
}

/** The pharmacy's answer, if any. */
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
      const found = await pharmacies(`Ask ${pharmacy} for the order`).askForOrder(order);
      if (found === 'unanswered') return undefined;
      if (found === 'absent') return { state: 'denied', reason: 'not_found' };
      continue;
    } catch (error) {
      if (isSilence(error)) return undefined;
    }
    setCurrentDetails('**A fault of our own delays the request to the pharmacy.** A retry follows.');
    await retries.waitOutFault('cancelOrder', outages);
  }
}

function showSilent({ pharmacy, askUntil }: AwaitedCancellation, attempts: number, pauseMs: number): void {
  setCurrentDetails(
    [
      `**${pharmacy} has not answered the cancellation after ${attempts} attempts.**`,
      `The next attempt follows in ${Math.ceil(pauseMs / 1000)} s. At ${new Date(askUntil).toISOString()} a work item opens.`,
      'A status report of the pharmacy also decides the request.',
    ].join('\n\n'),
  );
}

function showWaiting({ pharmacy }: AwaitedCancellation, attempts: number): void {
  upsertSearchAttributes([{ key: rxWaiting, value: 'cancellation_unanswered' }]);
  setCurrentDetails(
    [
      `**${pharmacy} has not answered the cancellation after ${attempts} attempts.**`,
      'Work item `cancellation_unanswered` is open; the same request asks the pharmacy once more.',
      'A status report of the pharmacy also decides the request.',
    ].join('\n\n'),
  );
}
