import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import { ordinary } from '../proxies.js';

// The router answers within 30 s; its outages are waited out.
const router = ordinary<CancellationActivities>({
  startToCloseTimeout: '40 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

type CancelAnswer = Awaited<ReturnType<CancellationActivities['readOrderCancellation']>>;

const longestLookPauseSeconds = 900;

/**
 * Requests the cancellation of an order (D101) and waits for the pharmacy's answer, which the router obtains. If the
 * pharmacy does not know the order, waits for the look by its reference (D138). A missing order counts as given back,
 * and one that has another id is asked for once more.
 * @param startAnew continues as new once the history is long
 */
export async function askForOrder(
  order: { reference: string; reason: string },
  startAnew: () => Promise<never>,
) {
  setCurrentDetails(`**Waiting for the pharmacy to cancel order ${order.reference}.** The router retries.`);
  const asked = await router('Request the cancellation').cancelOrder(order);
  const answer = await afterWait(asked, startAnew);
  if (answer.state !== 'denied' || answer.reason !== 'not_found') return answer;
  const { submissionId } = answer;
  for (let pauseSeconds = 1; ; pauseSeconds = Math.min(2 * pauseSeconds, longestLookPauseSeconds)) {
    const { found } = await router('Wait for the look by reference').lookForOrder({ submissionId });
    if (found === false) return { state: 'missing' as const, submissionId };
    if (found) {
      const elsewhere = { ...order, deniedAt: asked.pharmacyOrderId };
      return afterWait(await router('Request it under another id').cancelOrder(elsewhere), startAnew);
    }
    setCurrentDetails(`**The pharmacy may not have order ${order.reference}.** The router looks for it.`);
    if (workflowInfo().continueAsNewSuggested) await startAnew();
    await sleep(`${pauseSeconds} s`);
  }
}

/** The answer to a request, once the pharmacy has given it. */
async function afterWait(asked: CancelAnswer, startAnew: () => Promise<never>) {
  let answer = asked;
  for (let pauseSeconds = 1; answer.state === 'pending'; pauseSeconds = Math.min(2 * pauseSeconds, 60)) {
    if (workflowInfo().continueAsNewSuggested) await startAnew();
    await sleep(`${pauseSeconds} s`);
    answer = await router('Read the cancellation').readOrderCancellation(answer);
  }
  return answer;
}
