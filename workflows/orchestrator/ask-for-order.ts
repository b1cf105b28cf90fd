import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import { ordinary } from '../proxies.js';

// The router answers within 30 s, if only that the pharmacy has not; its outages are waited out.
const router = ordinary<CancellationActivities>({
  startToCloseTimeout: '40 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

/**
 * Asks for an order back (D101), and waits until the pharmacy has answered: the router goes on asking it.
 * @param startAnew goes on in a new run, once the waiting has made the history long
 */
export async function askForOrder(
  order: { reference: string; reason: string },
  startAnew: () => Promise<never>,
) {
  setCurrentDetails(
    `**The pharmacy is asked to give order ${order.reference} back.** The router goes on asking until it answers.`,
  );
  let answer = await router('Ask for the order back').cancelOrder(order);
  for (let pauseSeconds = 1; answer.state === 'pending'; pauseSeconds = Math.min(2 * pauseSeconds, 60)) {
    if (workflowInfo().continueAsNewSuggested) await startAnew();
    await sleep(`${pauseSeconds} s`);
    answer = await router('Has the pharmacy answered?').readOrderCancellation(answer);
  }
  return answer;
}
