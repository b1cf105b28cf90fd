import { setCurrentDetails, sleep, uuid4 } from '@temporalio/workflow';
import type { CallbackActivities, NextCallback } from '../../activities/router/callbacks.js';
import { judgeAttempt } from '../../domain/router/callbacks.js';
import { workThroughQueue } from '../events/ordered-queue.js';
import { ordinary, ownRecords } from '../proxies.js';

const records = ownRecords<CallbackActivities>();
// One request of at most 10 s. Any answer of the receiver is a result, so a failure is a fault of our own.
const deliveries = ordinary<CallbackActivities>({
  startToCloseTimeout: '15 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Before the next try at a receiver with too many concurrent requests. */
const busyPauseMs = () => 5_000 + Math.random() * 10_000;

/** Delivers the callbacks of one submission in order, each for up to 72 h, or until the receiver answers 410 (D26). */
export async function deliverCallbacks(submissionId: string): Promise<void> {
  await workThroughQueue(
    {
      step: 'deliverCallback',
      next: () => records('Look for the next callback').nextCallback({ submissionId }),
      deliver: (callback) => deliver(submissionId, callback),
      waiting: showWaiting,
    },
    submissionId,
  );
  setCurrentDetails('**No callback is waiting.** A new callback or a redelivery starts another run.');
}

async function deliver(submissionId: string, callback: NextCallback): Promise<void> {
  const { callbackId, sequence, kind, series } = callback;
  const attempts = callback.attempts + 1;
  setCurrentDetails(`Sending **callback ${sequence}** (${kind}), attempt ${attempts}.`);
  const firstAttemptAt = callback.firstAttemptAt ?? Date.now();
  const result = await deliveries(`Callback ${sequence}, attempt ${attempts}`).deliverCallback({
    callbackId,
  });
  if ('skipped' in result) {
    if (result.skipped === 'busy') await sleep(busyPauseMs());
    return;
  }
  const { attempt } = result;
  const verdict = judgeAttempt({
    status: attempt.status,
    attempts,
    firstAttemptAt,
    now: Date.now(),
    random: Math.random(),
  });
  await records(`Record attempt ${attempts}: ${attempt.error ?? 'delivered'}`).recordCallbackAttempt({
    ...attempt,
    attemptId: uuid4(),
    submissionId,
    callbackId,
    series,
    attempts,
    firstAttemptAt,
    verdict,
  });
}

function showWaiting({ callbackId, sequence, kind, attempts, dueAt, lastError }: NextCallback): void {
  const next = dueAt === null ? 'now' : new Date(dueAt).toISOString();
  setCurrentDetails(
    [
      `**Callback ${sequence} (${kind}) waits after ${attempts} failed attempts.** ${lastError ?? ''}`,
      `Next attempt at ${next}; later callbacks of the submission wait for it.`,
      `Once the receiver is up again: \`rx callbacks redeliver <submission> ${callbackId}\` sends it at once.`,
    ].join('\n\n'),
  );
}
