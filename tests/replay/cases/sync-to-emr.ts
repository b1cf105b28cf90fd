import type { EgressActivities, PendingSyncAttempt } from '../../../activities/bridge/egress.js';
import type { SyncAttemptResult } from '../../../domain/bridge/emr-sync.js';
import type { syncToEmr as workflow } from '../../../workflows/bridge/sync-to-emr.js';
import type { CasesOf, Expected } from '../cases.js';

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
function syncing(expect: Expected, looks: PendingSyncAttempt[], results: (SyncAttemptResult | null)[]) {
  let [seen, tried] = [0, 0];
  const activities: EgressActivities = {
    pendingSync: async () => looks[seen++] ?? null,
    syncToEmrOnce: async () => results[tried++] ?? null,
    recordSync: async () => undefined,
  };
  return {
    args: ['00000000-0000-5000-8000-000000000009'] as [string],
    activities,
    startedBy: { signal: 'recheck', args: [] },
    expect,
  };
}

/** The EMR asked for a wait that is not over: a timer. */
function waiting() {
  const { activities, ...rest } = syncing(
    // How long it waits follows from the clock of the machine that runs it: the wait itself is in its history.
    { behavior: 'a run that has to wait comes to its end' },
    [fresh, fresh],
    [succeeded],
  );
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

const judgedAs = (...statuses: string[]) => ({
  recordSync: statuses.map((status) => ({ verdict: { status } })),
});

export const syncToEmr: CasesOf<typeof workflow> = {
  settled: syncing({ behavior: 'a row that is settled ends at once', calls: ['pendingSync'] }, [], []),
  succeeded: syncing(
    {
      behavior: 'the row has it, and the run ends',
      inputs: { recordSync: [{ verdict: { status: 'succeeded' }, responseStatus: 200, error: null }] },
      details: ['**Succeeded.** The EMR has the change.'],
    },
    [fresh],
    [succeeded],
  ),
  again: syncing(
    { behavior: 'an EMR that is away is tried again', inputs: judgedAs('pending', 'succeeded') },
    [fresh, { ...fresh, attempts: 1 }],
    [unavailable, succeeded],
  ),
  failed: syncing(
    {
      behavior: 'what the EMR does not know is failed after one attempt',
      times: { syncToEmrOnce: 1 },
      inputs: judgedAs('failed'),
    },
    [fresh],
    [unknown],
  ),
  overtaken: syncing(
    { behavior: 'what another attempt has settled is not recorded', times: { recordSync: 0 } },
    [fresh],
    [null],
  ),
  abandoned: syncing(
    {
      behavior: 'it is given up 24 h after the first attempt',
      times: { syncToEmrOnce: 1 },
      inputs: judgedAs('abandoned'),
    },
    [{ ...fresh, attempts: 90, firstAttemptAt: 0 }],
    [unavailable],
  ),
  'abandoned-while-waiting': syncing(
    {
      behavior: 'it is given up without another attempt when the wait is longer',
      times: { syncToEmrOnce: 0 },
      inputs: judgedAs('abandoned'),
    },
    [{ ...fresh, attempts: 1, firstAttemptAt: 0, nextAttemptAt: 999_999_999_999 }],
    [],
  ),
  waiting: waiting(),
  running: { ...syncing({ behavior: 'it is brought' }, [fresh], [succeeded]), openAt: 'syncToEmrOnce' },
};
