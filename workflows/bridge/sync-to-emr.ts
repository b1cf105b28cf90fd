import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { EgressActivities, PendingSyncAttempt } from '../../activities/bridge/egress.js';
import {
  adviceOn,
  describeSyncError,
  judgeSync,
  type SyncAttemptResult,
  type SyncVerdict,
  turnOf,
} from '../../domain/bridge/emr-sync.js';
import { workThroughQueue } from '../events/ordered-queue.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxOutcome } from '../search-attributes.js';

const records = ownRecords<EgressActivities>();
// Six calls of at most 3.5 s. Any answer of the EMR is a result, so a failure is a fault of our own.
const egress = ordinary<EgressActivities>({
  startToCloseTimeout: '25 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

type Pending = PendingSyncAttempt & { dueAt: number | null; act: 'try' | 'abandon' };

/**
 * Writes one change to the EMR, until it succeeds, the EMR rejects it, or 24 h have passed (page 3, error disposition;
 * D82). A signal does not shorten a wait.
 */
export async function syncToEmr(syncAttemptId: string): Promise<void> {
  await workThroughQueue<Pending>(
    {
      step: 'syncToEmr',
      next: async () => {
        const pending = await records('Read the ledger').pendingSync({ syncAttemptId });
        if (pending === null) return null;
        const { at, act } = turnOf(pending);
        return { ...pending, dueAt: at, act };
      },
      deliver: (pending) =>
        pending.act === 'try' ? attempt(syncAttemptId, pending) : giveUp(syncAttemptId, pending),
      waiting: showWaiting,
    },
    syncAttemptId,
  );
}

async function attempt(syncAttemptId: string, pending: Pending): Promise<void> {
  const n = pending.attempts + 1;
  const startedAt = Date.now();
  setCurrentDetails(`Writing **${pending.internalEventName}** to the EMR, attempt ${n}.`);
  const result = await egress(`Write to the EMR, attempt ${n}`).syncToEmrOnce({ syncAttemptId });
  if (result === null) return;
  const firstAttemptAt = pending.firstAttemptAt ?? startedAt;
  const verdict = judgeSync({ result, firstAttemptAt, now: Date.now() });
  const error = result.outcome === 'error' ? describeSyncError(result) : null;
  await records(`Record attempt ${n}: ${error ?? 'succeeded'}`).recordSync({
    id: syncAttemptId,
    series: pending.series,
    firstAttemptAt,
    verdict,
    responseStatus: result.status,
    error,
  });
  if (verdict.status !== 'pending') showEnd(verdict.status, result);
}

/** The EMR asked for a wait beyond 24 h. */
async function giveUp(syncAttemptId: string, pending: Pending): Promise<void> {
  await records('Give up after 24 h').recordSync({
    id: syncAttemptId,
    series: pending.series,
    firstAttemptAt: pending.firstAttemptAt ?? Date.now(),
    verdict: { status: 'abandoned', nextAttemptAt: null },
    responseStatus: null,
    error: pending.lastError,
  });
  showEnd('abandoned');
}

function showWaiting({ internalEventName, attempts, dueAt, lastError }: Pending): void {
  const next = dueAt === null ? 'now' : new Date(dueAt).toISOString();
  setCurrentDetails(
    [
      `**${internalEventName} waits after attempt ${attempts}.** Last answer: ${lastError ?? 'none'}.`,
      `Next attempt at ${next}, until 24 h after the first one. A tick does not shorten the wait.`,
      'There is nothing to do.',
    ].join('\n\n'),
  );
}

function showEnd(status: Exclude<SyncVerdict['status'], 'pending'>, result?: SyncAttemptResult): void {
  if (status === 'succeeded') {
    setCurrentDetails('**Succeeded.** The EMR has the change.');
    return;
  }
  upsertSearchAttributes([{ key: rxOutcome, value: 'FAILED' }]);
  const isError = result?.outcome === 'error';
  setCurrentDetails(
    [
      `**${status === 'failed' ? 'FAILED' : 'ABANDONED after 24 h'}.** ${isError ? describeSyncError(result) : 'The EMR asked for a longer wait.'}`,
      ...(isError ? [adviceOn(result.class)] : []),
      'Then `POST /emr-sync-attempts/<id>/retry` retries it.',
    ].join('\n\n'),
  );
}
