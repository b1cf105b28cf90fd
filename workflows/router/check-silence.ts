import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { SilenceActivities } from '../../activities/router/silence.js';
import { type PharmacySystem, pharmacySystems } from '../../domain/pharmacies.js';
import { ordinary } from '../proxies.js';

// A page of ten calls of at most 4 s each. What fails is a fault of our own, and passes.
const pages = ordinary<SilenceActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Between two pages of a pharmacy: with ten orders a page it is asked for ten a second at most. */
const pause = '1 s';

interface Check {
  /** Epoch milliseconds of its begin. */
  since: number;
  /** Pharmacies that are left. */
  left: readonly PharmacySystem[];
}

/**
 * Asks the pharmacies for orders of which they have said nothing for long (D102): one after the other, page by page, each
 * order once, however many there are. What they answer counts as a webhook.
 */
export async function checkSilence(
  { since, left }: Check = { since: Date.now(), left: pharmacySystems },
): Promise<void> {
  const counts = { asked: 0, inVain: 0 };
  for (const [index, pharmacy] of left.entries()) {
    for (;;) {
      const page = await pages(`Ask ${pharmacy} for the next orders`).askSilentOrders({ pharmacy, since });
      counts.asked += page.asked;
      counts.inVain += page.inVain;
      if (page.asked === 0) break;
      setCurrentDetails(`Asking **${pharmacy}**: ${counts.asked} orders so far, ${counts.inVain} in vain.`);
      await sleep(pause);
      if (workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof checkSilence>({ since, left: left.slice(index) });
    }
  }
  setCurrentDetails(
    `**Done.** Asked for ${counts.asked} orders, ${counts.inVain} of them in vain; after three vain questions an order is work item \`order_silent\`.`,
  );
}
