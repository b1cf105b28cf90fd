import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import { ordinary } from '../proxies.js';

// The router answers within 30 s; its outages are waited out.
const router = ordinary<CancellationActivities>({
  startToCloseTimeout: '40 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

const longestLookPauseSeconds = 900;

/**
 * Requests the cancellation of an order (D101) and waits for the pharmacy's answer, which the router obtains. If the
 * pharmacy does not know the order, waits for the look by its reference (D138); a missing order counts as given back.
 * @param startAnew continues as new once the history is long
 */
export async function askForOrder(
  order: { reference: string; reason: string },
  startAnew: () => Promise<never>,
) {
  setCurrentDetails(`**Waiting for the pharmacy to cancel order ${order.reference}.** The router retries.`);
  let answer = await router('Request the cancellation').cancelOrder(order);
  for (let pauseSeconds = 1; answer.state === 'pending'; pauseSeconds = Math.min(2 * pauseSeconds, 60)) {
    if (workflowInfo().continueAsNewSuggested) await startAnew();
    await sleep(`${pauseSeconds} s`);
    answer = await router('Read the cancellation').readOrderCancellation(answer);
  }
  if (answer.state !== 'denied' || answer.reason !== 'not_found') return answer;
  const { submissionId } = answer;
  for (let pauseSeconds = 1; ; pauseSeconds = Math.min(2 * pauseSeconds, longestLookPauseSeconds)) {
    const { found } = await router('Wait for the look by reference').lookForOrder({ submissionId });
    if (found !== null) return found ? answer : { state: 'missing' as const, submissionId };
    setCurrentDetails(`**The pharmacy may not have order ${order.reference}.** The router looks for it.`);
    if (workflowInfo().continueAsNewSuggested) await startAnew();
    await sleep(`${pauseSeconds} s`);
  }
}
