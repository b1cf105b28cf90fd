import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { EgressActivities } from '../../../activities/bridge/egress.js';
import type { SyncRecord } from '../../../db/bridge/sync-attempts.js';
import type { EmrErrorClass, SyncAttemptResult } from '../../../domain/bridge/emr-sync.js';
import { recheckSignal } from '../../../workflows/messages.js';
import { eventually } from '../../helpers/client.js';
import { syncToEmr } from '../../replay/cases/sync-to-emr.js';
import { detailsOf, useRuns } from '../runs.js';

const secondMs = 1_000;
const hourMs = 3_600_000;

const { run: runCase, testCases, time } = useRuns('syncToEmr');

const succeeded: SyncAttemptResult = { outcome: 'succeeded', status: 200 };
const refused = (
  errorClass: EmrErrorClass,
  status: number | null,
  retryAfterMs: number | null = null,
): SyncAttemptResult => ({ outcome: 'error', class: errorClass, status, retryAfterMs });

/** The ledger row as the activities see it, with an EMR that answers by attempt (from 1). */
function ledger(answer: (attempt: number) => SyncAttemptResult) {
  const row = {
    status: 'pending' as SyncRecord['verdict']['status'],
    series: 1,
    attempts: 0,
    firstAttemptAt: null as number | null,
    nextAttemptAt: null as number | null,
    lastError: null as string | null,
    responseStatus: null as number | null,
  };
  /** When each attempt was due; null for one that was due at once. */
  const due: (number | null)[] = [];
  const records: SyncRecord[] = [];
  let looks = 0;
  const activities: EgressActivities = {
    pendingSync: async () => {
      looks += 1;
      const { status, responseStatus: _unseen, ...pending } = row;
      return status === 'pending' ? { ...pending, internalEventName: 'patient.archived' } : null;
    },
    syncToEmrOnce: async () => {
      row.attempts += 1;
      due.push(row.nextAttemptAt);
      return answer(row.attempts);
    },
    recordSync: async (record) => {
      records.push(record);
      const { verdict, firstAttemptAt, error, responseStatus } = record;
      Object.assign(row, {
        status: verdict.status,
        nextAttemptAt: verdict.nextAttemptAt,
        firstAttemptAt,
        lastError: error,
        responseStatus: responseStatus ?? row.responseStatus,
      });
    },
  };
  return { row, due, records, activities, looks: () => looks };
}

async function run(
  { activities }: ReturnType<typeof ledger>,
  meanwhile?: (handle: WorkflowHandle) => Promise<unknown>,
): Promise<{ details: string; tookMs: number }> {
  const { details, tookMs } = await runCase({ args: ['attempt'], activities }, meanwhile);
  return { details: await details(), tookMs: await tookMs() };
}

describe('the disposition table, row by row', () => {
  it.each<[EmrErrorClass, number, string]>([
    ['not found', 404, 'see whether it was merged or deleted'],
    ['validation', 422, 'correct it in the EMR'],
    ['conflict', 412, 'look at it in the EMR'],
    ['auth', 401, 'renew `EMR_TOKEN`'],
  ])(
    '%s: failed after one attempt, and the operator is told what to do',
    async (errorClass, status, advice) => {
      const sync = ledger(() => refused(errorClass, status));
      const { details } = await run(sync);
      expect(sync.row).toMatchObject({
        status: 'failed',
        attempts: 1,
        responseStatus: status,
        lastError: `${errorClass}: the EMR answered ${status}`,
      });
      expect(details).toContain(`**FAILED.** ${errorClass}`);
      expect(details).toContain(advice);
      expect(details).toContain('/emr-sync-attempts/<id>/retry');
    },
  );

  it.each<[EmrErrorClass, number | null]>([
    ['transient', null],
    ['server error', 503],
  ])('%s: stays pending and is tried again until it has succeeded', async (errorClass, status) => {
    const sync = ledger((attempt) => (attempt <= 5 ? refused(errorClass, status) : succeeded));
    const { tookMs } = await run(sync);
    expect(sync.row).toMatchObject({ status: 'succeeded', attempts: 6 });
    expect(sync.records.slice(0, 5).every(({ verdict }) => verdict.status === 'pending')).toBe(true);
    // 1 + 1 + 2 + 4 + 8; the time the attempts themselves take is added by the machine.
    expect(tookMs).toBeGreaterThanOrEqual(16 * secondMs);
  });

  it('rate limit: tried again exactly when the EMR asked for it', async () => {
    const waits = [5 * secondMs, 2 * hourMs, 61 * secondMs];
    const sync = ledger((attempt) =>
      attempt <= waits.length ? refused('rate limit', 429, waits[attempt - 1]) : succeeded,
    );
    const { tookMs } = await run(sync);
    expect(sync.row).toMatchObject({ status: 'succeeded', attempts: 4 });
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(tookMs).toBeGreaterThanOrEqual(total);
    expect(tookMs).toBeLessThan(total + hourMs);
  });
});

describe('bringing a change to the EMR', () => {
  testCases(syncToEmr);

  it('is given up 24 h after the first attempt, having been tried at the last moment', async () => {
    const sync = ledger(() => refused('server error', 500));
    const firstAttemptAt = (await time().env.currentTimeMs()) - 23 * hourMs;
    Object.assign(sync.row, { attempts: 140, firstAttemptAt });
    const { details } = await run(sync);
    expect(sync.row.status).toBe('abandoned');
    expect(sync.row.attempts).toBeLessThan(150);
    expect(sync.due.at(-1)! - sync.row.firstAttemptAt!).toBe(24 * hourMs);
    expect(details).toContain('**ABANDONED after 24 h.** server error');
  });

  it('is given up after 24 h without another attempt when the EMR asks for a longer wait', async () => {
    const sync = ledger(() => refused('rate limit', 429, 100 * hourMs));
    const { tookMs, details } = await run(sync);
    expect(sync.row).toMatchObject({
      status: 'abandoned',
      attempts: 1,
      lastError: 'rate limit: the EMR answered 429',
      responseStatus: 429,
    });
    expect(tookMs).toBeGreaterThanOrEqual(24 * hourMs);
    expect(tookMs).toBeLessThan(25 * hourMs);
    expect(details).toContain('**ABANDONED after 24 h.** The EMR asked for a longer wait');
  });

  it('says while it waits what failed, when it goes on, and that nothing needs to be done', async () => {
    const sync = ledger((attempt) => (attempt === 1 ? refused('rate limit', 429, 300 * hourMs) : succeeded));
    await run(sync, async (handle) => {
      await eventually(async () => sync.records.length === 1 && sync.looks() > 1);
      const currentDetails = await detailsOf(handle);
      expect(currentDetails).toContain('**patient.archived waits after attempt 1.**');
      expect(currentDetails).toContain('rate limit: the EMR answered 429');
      expect(currentDetails).toMatch(/Next attempt at \d{4}-\d\d-\d\dT/);
    });
  });

  it('is not hurried by a nudge, which is what a tick is', async () => {
    const sync = ledger((attempt) => (attempt === 1 ? refused('rate limit', 429, hourMs) : succeeded));
    const { tookMs } = await run(sync, async (handle) => {
      await eventually(async () => sync.records.length === 1 && sync.looks() > 1);
      for (let nudges = 0; nudges < 5; nudges += 1) {
        const before = sync.looks();
        await handle.signal(recheckSignal);
        await eventually(async () => sync.looks() > before);
      }
      expect(sync.row.attempts).toBe(1);
    });
    expect(sync.row.attempts).toBe(2);
    expect(tookMs).toBeGreaterThanOrEqual(hourMs);
  });

  it('keeps to the wait in the ledger when its run begins anew', async () => {
    const sync = ledger(() => succeeded);
    const now = await time().env.currentTimeMs();
    Object.assign(sync.row, { attempts: 3, firstAttemptAt: now, nextAttemptAt: now + 2 * hourMs });
    const { tookMs } = await run(sync);
    expect(sync.row).toMatchObject({ status: 'succeeded', attempts: 4 });
    expect(tookMs).toBeGreaterThanOrEqual(2 * hourMs - 30 * secondMs);
  });
});
