import type { DomainActivities, WatchedDomain } from '../../../activities/organization/domains.js';
import { isPending, newWatch } from '../../../domain/organization/custom-domains.js';
import type { verifyCustomDomain as workflow } from '../../../workflows/organization/verify-custom-domain.js';
import { type CasesOf, type Expected, ownRun } from '../cases.js';

const hostname = 'care.example.test';
const by = { adminId: '00000000-0000-4000-8000-000000000001', ip: '127.0.0.1', userAgent: null };
const registration = newWatch('pending_dns', 0);

/** A hostname in a table of its own, which is due at once at every look. */
function watching(
  expect: Expected,
  watch: WatchedDomain['watch'] | null,
  outside: {
    values?: string[];
    tls?: (look: number) => Promise<boolean>;
    /** Once nothing is looked for by itself any more. */
    thenGivesUp?: true;
    /** The handshake after which the hostname is given up. */
    lastHandshake?: number;
  },
) {
  const row: WatchedDomain = {
    domainId: '00000000-0000-4000-8000-00000000000b',
    hostname,
    token: 'token',
    observed: null,
    reason: null,
    lastCheckedAt: null,
    watch: watch ?? { ...registration, state: 'deactivated' },
  };
  let looks = 0;
  let waits = 0;
  const activities: DomainActivities = {
    readWatchedDomain: async () => {
      const isGivenUp = outside.thenGivesUp === true && row.watch.nextCheckAt === null && (waits += 1) > 1;
      const isOver = isGivenUp || looks === outside.lastHandshake;
      return isPending(row.watch.state) && !isOver ? structuredClone(row) : null;
    },
    lookUpDomainRecord: async () => ({ values: outside.values ?? [], fault: null }),
    probeDomainTls: async () => {
      const isValid = (await outside.tls?.(++looks)) ?? false;
      return { isValid, fault: isValid ? null : 'ECONNREFUSED' };
    },
    recordDomainLook: async (look) => {
      row.watch = look.watch;
      row.observed = look.observed ?? row.observed;
      row.reason = look.reason;
    },
    activateCustomDomain: async () => {
      row.watch = { ...row.watch, state: 'active', nextCheckAt: null };
      return true;
    },
  };
  return { args: [hostname] as [string], activities, startedBy: { signal: 'recheck', args: [] }, expect };
}

const pendingTls = newWatch('pending_tls', 0);

export const verifyCustomDomain: CasesOf<typeof workflow> = {
  'not-pending': watching(
    { behavior: 'one that is given up is no longer watched', calls: ['readWatchedDomain'] },
    null,
    {},
  ),
  // Registered in 1970, so that its 72 h are over at the first look.
  'a-person': {
    ...watching(
      {
        behavior: 'after 72 h a person is waited for, and the table looked into once a day',
        calls: [
          'readWatchedDomain',
          'lookUpDomainRecord',
          'recordDomainLook',
          'readWatchedDomain',
          'readWatchedDomain',
        ],
        details: ['Not pending'],
      },
      registration,
      { values: ['another'], thenGivesUp: true },
    ),
    skipTime: true,
  },
  // The certificate is not there at the look by the clock, in the middle of which an admin asks for the activation.
  activated: watching(
    {
      behavior: 'an activation in the middle of a look has its turn, and ends the run',
      times: { probeDomainTls: 2, activateCustomDomain: 1 },
    },
    pendingTls,
    {
      tls: async (look) => {
        if (look > 1) return true;
        await ownRun().startUpdate('activate', { args: [by], waitForStage: 'ACCEPTED' });
        return false;
      },
    },
  ),
  // The workflow's own test plays both states for 72 h each.
  watched: {
    ...watching(
      { behavior: 'it never becomes active by itself', times: { activateCustomDomain: 0 } },
      { ...registration, watchedSince: Date.now() },
      { values: ['token'], tls: async () => false, lastHandshake: 3 },
    ),
    skipTime: true,
  },
  running: { ...watching({ behavior: 'it is looked up' }, registration, {}), openAt: 'lookUpDomainRecord' },
};
