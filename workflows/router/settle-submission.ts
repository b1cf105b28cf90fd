import { condition, continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Found, Unknown, UnknownOrderActivities } from '../../activities/router/unknown-orders.js';
import { rechecks } from '../handlers.js';
import { ordinary, ownRecords } from '../proxies.js';
import { Retries } from '../stuck.js';

const records = ownRecords<UnknownOrderActivities>();
// A missing answer of the pharmacy is a result, so a failure is a fault of our own.
const pharmacies = ordinary<UnknownOrderActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/**
 * Reconciles an order without an answer (D114), or one that the pharmacy may not have (D138). It asks the pharmacy for
 * it by our reference, and the first answer decides. Orders nothing. An answered repeat of the submission decides it
 * too; an unanswered one starts over. Without any answer, a work item opens.
 */
export async function settleSubmission(submissionId: string): Promise<Found> {
  const recheck = rechecks();
  for (;;) {
    recheck.clear();
    const unknown = await records('Check that the outcome is unknown').openUnknownOrder({ submissionId });
    const found = unknown === null ? 'over' : await reconcile(submissionId, unknown, recheck.isDue);
    if (recheck.isDue() || (found === 'over' && unknown !== null)) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof settleSubmission>(submissionId);
      continue;
    }
    setCurrentDetails(ends[found]);
    return found;
  }
}

async function reconcile(
  submissionId: string,
  { claimId, pharmacy, looksAtMs }: Unknown,
  isChanged: () => boolean,
): Promise<Found> {
  const retries = new Retries();
  const since = Date.now();
  for (const lookAtMs of looksAtMs) {
    setCurrentDetails(
      `**The outcome of the order at ${pharmacy} is unknown.** The next inquiry follows at ${new Date(lookAtMs).toISOString()}. Nothing is ordered here.`,
    );
    const waitMs = lookAtMs - Date.now();
    if (waitMs > 0) {
      retries.failed({ step: 'askForOrder', pauseMs: waitMs, since });
      if (await condition(isChanged, waitMs)) {
        retries.succeeded();
        return 'over';
      }
    }
    const found = await pharmacies(`Ask ${pharmacy} for the order`).askForOrder({ submissionId, claimId });
    if (found !== 'unanswered') {
      retries.succeeded();
      return found;
    }
  }
  retries.succeeded();
  const isUnknown = await records('Open a work item').reportUnknownOrder({ submissionId, claimId });
  return isUnknown ? 'unanswered' : 'over';
}

const ends: Record<Found, string> = {
  exists: '**Reconciled:** the order exists.',
  absent: '**Reconciled:** the pharmacy does not have the order. The client may submit it again.',
  over: '**Nothing to reconcile:** the pharmacy reported on the order, or a repeat of the submission took over.',
  unanswered: '**No answer.** Work item `order_unknown` is open.',
};
