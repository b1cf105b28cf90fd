import { defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { CallbackActivities } from '../../../activities/router/callbacks.js';

const { nextCallback, deliverCallback, recordCallbackAttempt } = proxyActivities<CallbackActivities>({
  startToCloseTimeout: '10 s',
});

/** The ordered queue without its guard: it waits for something between seeing an empty table and its end. */
export async function lossyQueue(submissionId: string): Promise<void> {
  let nudged = false;
  setHandler(defineSignal('recheck'), () => void (nudged = true));
  const isNudged = () => nudged;
  for (;;) {
    nudged = false;
    const item = await nextCallback({ submissionId });
    if (item === null) {
      if (isNudged()) continue;
      await deliverCallback({ callbackId: 'none' });
      return;
    }
    await deliverCallback({ callbackId: item.callbackId });
    await recordCallbackAttempt({
      at: '',
      durationMs: 0,
      status: 200,
      error: null,
      attemptId: '',
      submissionId,
      callbackId: item.callbackId,
      series: 1,
      attempts: 1,
      firstAttemptAt: 0,
      verdict: { state: 'delivered', nextAttemptAt: null },
    });
  }
}
