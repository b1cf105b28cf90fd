import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DomainActivities, WatchedDomain } from '../../../activities/organization/domains.js';
import type { RecordedLook } from '../../../db/organization/custom-domains.js';
import {
  type Activation,
  type DomainState,
  type DomainWatch,
  isPending,
  newWatch,
} from '../../../domain/organization/custom-domains.js';
import { rxWaiting } from '../../../workflows/search-attributes.js';
import { ownRun } from '../../replay/cases.js';
import { verifyCustomDomain as cases } from '../../replay/cases/verify-custom-domain.js';
import { useRuns } from '../runs.js';

const { run, testCases, time, taskQueue } = useRuns('verifyCustomDomain');

const minute = 60_000;
const by = { adminId: randomUUID(), ip: '127.0.0.1', userAgent: null };

const watchedFor = (hours: number, now: number): Partial<DomainWatch> =>
  hours === 0 ? {} : { checks: hours, watchedSince: now - hours * 60 * minute };

/** The table of one hostname, registered now, and an outside that answers as it is told at each look. */
async function registered(outside: {
  /** The values at the n-th look, from 1. */
  dns?: (look: number) => string[];
  tls?: (look: number) => boolean;
  /** The watched domain, and for how many hours already; by default `pending_dns`, from now on. */
  state?: DomainState;
  hours?: number;
}) {
  const hostname = `${randomUUID()}.test`;
  const start = await time().env.currentTimeMs();
  const row: WatchedDomain = {
    domainId: randomUUID(),
    hostname,
    token: 'token',
    observed: null,
    reason: null,
    lastCheckedAt: null,
    watch: { ...newWatch(outside.state ?? 'pending_dns', start), ...watchedFor(outside.hours ?? 0, start) },
  };
  const looks: (Pick<RecordedLook, 'from' | 'reason'> & { atMs: number; asked: boolean })[] = [];
  let dnsLooks = 0;
  let tlsLooks = 0;
  let readsInVain = 0;
  const waitedFor: unknown[] = [];
  const activities: DomainActivities = {
    // A day after nothing is looked for by itself any more its organization is archived, which nobody tells the run.
    readWatchedDomain: async () => {
      if (isPending(row.watch.state) && row.watch.nextCheckAt === null) readsInVain += 1;
      if (readsInVain !== 2) return isPending(row.watch.state) ? structuredClone(row) : null;
      waitedFor.push((await ownRun().describe()).typedSearchAttributes.get(rxWaiting));
      return null;
    },
    lookUpDomainRecord: async () => ({ values: outside.dns?.(++dnsLooks) ?? [], fault: null }),
    probeDomainTls: async () => {
      const isValid = outside.tls?.(++tlsLooks) ?? false;
      return { isValid, fault: isValid ? null : 'ECONNREFUSED' };
    },
    recordDomainLook: async (look) => {
      if (row.watch.state !== look.from) return;
      looks.push({
        from: look.from,
        reason: look.reason,
        atMs: look.checkedAt - row.watch.watchedSince,
        asked: look.by !== null,
      });
      row.watch = look.watch;
      row.reason = look.reason;
      row.observed = look.observed ?? row.observed;
      row.lastCheckedAt = look.checkedAt;
    },
    activateCustomDomain: async () => {
      row.watch = { ...row.watch, state: 'active', nextCheckAt: null };
      return true;
    },
  };
  const workflowId = `domain:${hostname}`;
  const { workflow } = time().env.client;
  return {
    row,
    looks,
    /** For whom the run waited when it looked into the table after a day. */
    waitedFor,
    /** Watches it to the end; `meanwhile` no time is skipped. */
    watch: (meanwhile?: () => Promise<unknown>) =>
      run({ args: [hostname], activities }, meanwhile, { workflowId }),
    ask: <T>(update: 'verify' | 'activate') =>
      time().updateWithStart<T>({
        workflowType: 'verifyCustomDomain',
        workflowId,
        taskQueue,
        args: [hostname],
        update,
        updateArgs: [by],
      }),
    giveUp: async () => {
      row.watch = { ...row.watch, state: 'deactivated', nextCheckAt: null };
      await workflow.getHandle(workflowId).signal('recheck');
    },
    ended: () => workflow.getHandle(workflowId).result(),
  };
}

const minutesOf = (looks: readonly { atMs: number }[]) => looks.map(({ atMs }) => Math.round(atMs / minute));

describe('a pending hostname', () => {
  testCases(cases);

  it('is looked at after 1, 3, 7 … minutes and each hour', async () => {
    const domain = await registered({
      dns: (look) => {
        if (look === 9) domain.row.watch.state = 'deactivated';
        return ['another'];
      },
    });
    await domain.watch();
    expect(minutesOf(domain.looks)).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it('is looked at for the last time after 72 h, and then waits for a person', async () => {
    const domain = await registered({ hours: 70, dns: () => ['another'] });
    const { handle, tookMs } = await domain.watch();
    const minutes = minutesOf(domain.looks);
    expect(minutes.length).toBeLessThan(5);
    expect(minutes.at(-1)).toBe(72 * 60);
    expect(domain.row.watch).toMatchObject({ state: 'pending_dns', nextCheckAt: null });
    expect(domain.waitedFor).toEqual(['domain_unverified']);
    expect((await handle.describe()).typedSearchAttributes.get(rxWaiting)).toBeUndefined();
    expect(await tookMs()).toBeGreaterThan(24 * 60 * minute);
  });

  it('waits for a certificate once the record is there, its clock wound up again', async () => {
    const domain = await registered({
      dns: (look) => (look < 3 ? [] : ['token']),
      tls: (look) => {
        if (look === 5) domain.row.watch.state = 'deactivated';
        return look > 2;
      },
    });
    await domain.watch();
    const [dns, tls] = (['pending_dns', 'pending_tls'] as const).map((state) =>
      domain.looks.filter(({ from }) => from === state),
    );
    expect(minutesOf(dns!)).toEqual([1, 3, 7]);
    expect(dns!.at(-1)?.reason).toContain('The DNS record is there');
    expect(minutesOf(tls!)).toEqual([1, 3, 7, 15]);
    expect(tls!.map(({ reason }) => reason?.includes('can be activated'))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('with a certificate for 72 h never becomes active by itself', async () => {
    const domain = await registered({ state: 'pending_tls', hours: 70, tls: () => true });
    await domain.watch();
    expect(minutesOf(domain.looks).at(-1)).toBe(72 * 60);
    expect(domain.row.watch).toMatchObject({ state: 'pending_tls', nextCheckAt: null });
  });
});

describe('what an admin asks for', () => {
  it('is a look at once, which leaves the clock as it is', async () => {
    const domain = await registered({ dns: (look) => (look === 1 ? [] : ['token']) });
    const { nextCheckAt } = domain.row.watch;
    await domain.watch(async () => {
      await domain.ask('verify');
      expect(domain.row.watch).toMatchObject({ state: 'pending_dns', nextCheckAt });
      await domain.ask('verify');
      expect(domain.row.watch.state).toBe('pending_tls');
      await domain.giveUp();
    });
    expect(domain.looks.map(({ asked, atMs }) => [asked, atMs < minute])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('is an activation: refused without a certificate, with the reason; done with one, which ends the run', async () => {
    const domain = await registered({ dns: () => ['token'], tls: (look) => look > 1 });
    await domain.watch(async () => {
      expect(await domain.ask<Activation>('activate')).toEqual({
        refused: 'The custom domain is not pending_tls',
      });
      await domain.ask('verify');
      expect((await domain.ask<Activation>('activate')).refused).toContain('ECONNREFUSED');
      expect(domain.row.reason).toContain('ECONNREFUSED');
      expect(await domain.ask<Activation>('activate')).toEqual({ refused: null });
    });
    expect(domain.row.watch.state).toBe('active');
  });

  it('winds the clock up again once it has run out', async () => {
    const domain = await registered({
      hours: 71,
      dns: () => {
        if (domain.looks.length === before + 4) domain.row.watch.state = 'deactivated';
        return [];
      },
    });
    let before = Infinity;
    await domain.watch();
    before = domain.looks.length;
    await domain.ask('verify');
    await domain.ended();
    const [asked, ...again] = domain.looks.slice(before);
    expect(asked?.asked).toBe(true);
    expect(minutesOf(again)).toEqual([1, 3, 7]);
  });
});
