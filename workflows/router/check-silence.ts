import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { SilenceActivities } from '../../activities/router/silence.js';
import { type PharmacySystem, pharmacySystems } from '../../domain/pharmacies.js';
import { ordinary } from '../proxies.js';

// A page of ten calls of at most 4 s each.
const pages = ordinary<SilenceActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Between two pages of ten orders, so at most ten calls a second. */
const pause = '1 s';

interface Check {
  /** Epoch milliseconds of its start. */
  since: number;
  left: readonly PharmacySystem[];
}

/** Asks each pharmacy once about every order without recent news (D102). An answer counts as a webhook. */
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
      setCurrentDetails(
        `Asking **${pharmacy}**: ${counts.asked} orders so far, ${counts.inVain} without answer.`,
      );
      await sleep(pause);
      if (workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof checkSilence>({ since, left: left.slice(index) });
    }
  }
  setCurrentDetails(
    `**Done.** Asked about ${counts.asked} orders, ${counts.inVain} without answer. After three checks without answer, work item \`order_silent\` opens.`,
  );
}
