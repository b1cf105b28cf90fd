import type { EgressActivities, PendingSyncAttempt } from '../../../activities/bridge/egress.js';
import type { SyncAttemptResult } from '../../../domain/bridge/emr-sync.js';
import type { syncToEmr as workflow } from '../../../workflows/bridge/sync-to-emr.js';
import type { CasesOf } from '../cases.js';

const fresh: PendingSyncAttempt = {
  internalEventName: 'patient.archived',
  series: 1,
  attempts: 0,
  firstAttemptAt: null,
  nextAttemptAt: null,
  lastError: null,
};
const succeeded: SyncAttemptResult = { outcome: 'succeeded', status: 200 };
const unavailable: SyncAttemptResult = {
  outcome: 'error',
  class: 'server error',
  status: 503,
  retryAfterMs: null,
};
const unknown: SyncAttemptResult = { ...unavailable, class: 'not found', status: 404 };

/** The row at each look, and what each attempt comes to; after the last look it is settled. */
function syncing(looks: PendingSyncAttempt[], results: (SyncAttemptResult | null)[]) {
  let [seen, tried] = [0, 0];
  const activities: EgressActivities = {
    pendingSync: async () => looks[seen++] ?? null,
    syncToEmrOnce: async () => results[tried++] ?? null,
    recordSync: async () => undefined,
  };
  return {
    args: ['00000000-0000-5000-8000-000000000009'] as [string],
    activities,
    startedBy: { signal: 'nudge', args: [] },
  };
}

/** The EMR asked for a wait that is not over: a timer. */
function waiting() {
  const { activities, ...rest } = syncing([fresh, fresh], [succeeded]);
  let looks = 0;
  const pendingSync: EgressActivities['pendingSync'] = async (input) => {
    const pending = await activities.pendingSync(input);
    const isFirst = looks++ === 0;
    const now = Date.now();
    return pending && isFirst
      ? { ...pending, attempts: 1, firstAttemptAt: now, nextAttemptAt: now + 2_000 }
      : pending;
  };
  return { ...rest, activities: { ...activities, pendingSync } };
}

export const syncToEmr: CasesOf<typeof workflow> = {
  settled: syncing([], []),
  succeeded: syncing([fresh], [succeeded]),
  again: syncing([fresh, { ...fresh, attempts: 1 }], [unavailable, succeeded]),
  failed: syncing([fresh], [unknown]),
  overtaken: syncing([fresh], [null]),
  abandoned: syncing([{ ...fresh, attempts: 90, firstAttemptAt: 0 }], [unavailable]),
  'abandoned-while-waiting': syncing(
    [{ ...fresh, attempts: 1, firstAttemptAt: 0, nextAttemptAt: 999_999_999_999 }],
    [],
  ),
  waiting: waiting(),
  running: { ...syncing([fresh], [succeeded]), openAt: 'syncToEmrOnce' },
};
