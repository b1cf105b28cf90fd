import { setCurrentDetails, sleep, uuid4 } from '@temporalio/workflow';
import type { CallbackActivities, NextCallback } from '../../activities/router/callbacks.js';
import { judgeAttempt } from '../../domain/router/callbacks.js';
import { workThroughQueue } from '../events/ordered-queue.js';
import { ordinary, ownRecords } from '../proxies.js';

const records = ownRecords<CallbackActivities>();
// One request of at most 10 s. What a receiver does is a result; what fails is a fault of our own, and passes.
const deliveries = ordinary<CallbackActivities>({
  startToCloseTimeout: '15 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Between two looks at a receiver that has enough to do: long, so that the looks themselves are no burden. */
const busyPauseMs = () => 5_000 + Math.random() * 10_000;

/**
 * Delivers the callbacks of one submission in their order, each until it has arrived, has been tried for 72 h, or
 * the receiver has said that it wants none any more (D26). Ends when none is left; the next one starts it again.
 */
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
  setCurrentDetails(
    '**Nothing is waiting.** A new callback, or one that is to be delivered again, starts another run.',
  );
}

async function deliver(submissionId: string, callback: NextCallback): Promise<void> {
  const { callbackId, sequence, kind, series } = callback;
  const attempts = callback.attempts + 1;
  const startedAt = Date.now();
  setCurrentDetails(`Sending **callback ${sequence}** (${kind}), attempt ${attempts}.`);
  const result = await deliveries(`Callback ${sequence}, attempt ${attempts}`).deliverCallback({
    callbackId,
  });
  if ('skipped' in result) {
    if (result.skipped === 'busy') await sleep(busyPauseMs());
    return;
  }
  const { attempt } = result;
  const firstAttemptAt = callback.firstAttemptAt ?? startedAt;
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
      `Next attempt at ${next}; later callbacks of the submission wait behind it.`,
      `Once the receiver is well again: \`rx callbacks redeliver <submission> ${callbackId}\` sends it at once.`,
    ].join('\n\n'),
  );
}
