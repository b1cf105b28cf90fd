import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Found, Unknown, UnknownOrderActivities } from '../../activities/router/unknown-orders.js';
import { recheckSignal } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';
import { Retries } from '../stuck.js';

const records = ownRecords<UnknownOrderActivities>();
// One call each time. A pharmacy that gives no answer is a result; what fails is a fault of our own, and passes.
const pharmacies = ordinary<UnknownOrderActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/**
 * Finds out whether an order exists whose pharmacy gave no answer (D114): asks for it by our reference until there is an
 * answer, and the first one decides. Orders nothing. A repeat of the submission that is answered meanwhile settles it
 * too; one that is not answered either begins the asking anew. Asked in vain, a person is told.
 */
export async function settleSubmission(submissionId: string): Promise<Found> {
  let nudged = false;
  setHandler(recheckSignal, () => void (nudged = true));
  const isNudged = () => nudged;
  for (;;) {
    nudged = false;
    const unknown = await records('Look whether the outcome is unknown').openUnknownOrder({ submissionId });
    const found = unknown === null ? 'over' : await settle(submissionId, unknown, isNudged);
    if (isNudged() || (found === 'over' && unknown !== null)) continue;
    showEnd(found);
    return found;
  }
}

async function settle(
  submissionId: string,
  { claimId, pharmacy, looksAtMs }: Unknown,
  isNudged: () => boolean,
): Promise<Found> {
  const retries = new Retries();
  const since = Date.now();
  for (const lookAtMs of looksAtMs) {
    setCurrentDetails(
      [
        `**Nobody knows whether ${pharmacy} has the order:** its answers were lost.`,
        `It is asked for it at ${new Date(lookAtMs).toISOString()}, and the first answer decides. Nothing is ordered here.`,
      ].join('\n\n'),
    );
    const waitMs = lookAtMs - Date.now();
    if (waitMs > 0) {
      retries.failed({ step: 'askForOrder', pauseMs: waitMs, since });
      if (await condition(isNudged, waitMs)) {
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
  const isUnknown = await records('Have a person see to it').reportUnknownOrder({ submissionId, claimId });
  return isUnknown ? 'unanswered' : 'over';
}

const ends: Record<Found, string> = {
  exists: '**Settled:** the order exists. The client was told by an update.',
  absent:
    '**Settled:** the pharmacy does not have the order, so it was a rejection. It may be submitted again.',
  over: '**Nothing to ask for:** a repeat of the submission was answered, or is finding out.',
  unanswered: '**Asked in vain.** A person decides what becomes of it: work item `order_unknown`.',
};
const showEnd = (found: Found) => setCurrentDetails(ends[found]);
