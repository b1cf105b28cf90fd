import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DomainActivities, WatchedDomain } from '../../activities/organization/domains.js';
import type { Actor } from '../../domain/organization/actor.js';
import {
  type Activation,
  afterLook,
  dnsReason,
  dnsRecordOf,
  provesOwnership,
  type TlsObservation,
  tlsReason,
} from '../../domain/organization/custom-domains.js';
import { oneAtATime, rechecks } from '../handlers.js';
import { activateUpdate, verifyUpdate } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';
import { clearWaiting } from '../stuck.js';

const records = ownRecords<DomainActivities>();
// A failed check is a result, so a failure is a fault of our own.
const looks = ordinary<DomainActivities>({
  startToCloseTimeout: '6 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Detects an archived organization, which sends no signal. */
const tableCheckEvery = '24 hours';

/**
 * Checks a pending hostname for the DNS record that proves its owner, then for a valid certificate. Each check lasts
 * 72 h with growing pauses (D78). Then a work item opens (D109). The table has the schedule, and a request starts the
 * next run. Only a request activates a hostname.
 */
export async function verifyCustomDomain(hostname: string): Promise<void> {
  const inTurn = oneAtATime();
  const recheck = rechecks();
  setHandler(verifyUpdate, (by) =>
    inTurn(async () => {
      recheck.note();
      const domain = await read(hostname);
      if (domain) await look(domain, by);
      return undefined;
    }),
  );
  setHandler(activateUpdate, (by) =>
    inTurn(async () => {
      recheck.note();
      return activate(hostname, by);
    }),
  );

  for (;;) {
    recheck.clear();
    const domain = await inTurn(async () => {
      const pending = await read(hostname);
      if (pending && isDue(pending)) await look(pending, null);
      return pending;
    });
    if (domain && isDue(domain)) continue;
    show(domain);
    if (domain && domain.watch.nextCheckAt !== null) {
      clearWaiting();
      await condition(recheck.isDue, domain.watch.nextCheckAt - Date.now());
    } else if (domain) {
      upsertSearchAttributes([{ key: rxWaiting, value: 'domain_unverified' }]);
      await condition(recheck.isDue, tableCheckEvery);
    } else if (!allHandlersFinished()) {
      await condition(allHandlersFinished);
    } else if (!recheck.isDue()) {
      // No await between this check and the end of the run: a later request starts the next run.
      clearWaiting();
      return;
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew(hostname);
  }
}

const read = (hostname: string) => records('Read the hostname').readWatchedDomain({ hostname });

const isDue = ({ watch: { nextCheckAt } }: WatchedDomain): boolean =>
  nextCheckAt !== null && nextCheckAt <= Date.now();

/** Checks once and records the result. @param by null for a scheduled check */
async function look(domain: WatchedDomain, by: Actor | null): Promise<void> {
  const { domainId, hostname, token, watch } = domain;
  if (watch.state === 'pending_dns') {
    const seen = await looks('Look up the DNS record').lookUpDomainRecord({ hostname });
    const isMet = provesOwnership(seen, token);
    const now = Date.now();
    await records(isMet ? 'Record the ownership' : 'Record the check').recordDomainLook({
      domainId,
      from: watch.state,
      watch: afterLook(watch, { isMet, isAsked: by !== null, now }),
      observed: seen.values,
      reason:
        dnsReason(dnsRecordOf(hostname, token), seen) ??
        `The DNS record is there; a valid certificate at ${hostname} is awaited`,
      checkedAt: now,
      by,
    });
    return;
  }
  await recordTls(domain, await looks('Try a TLS handshake').probeDomainTls({ hostname }), by);
}

async function recordTls(
  { domainId, hostname, watch }: WatchedDomain,
  seen: TlsObservation,
  by: Actor | null,
): Promise<string> {
  const now = Date.now();
  const reason = tlsReason(hostname, seen);
  await records('Record the check').recordDomainLook({
    domainId,
    from: watch.state,
    watch: afterLook(watch, { isMet: seen.isValid, isAsked: by !== null, now }),
    reason,
    checkedAt: now,
    by,
  });
  return reason;
}

async function activate(hostname: string, by: Actor): Promise<Activation> {
  const domain = await read(hostname);
  if (domain?.watch.state !== 'pending_tls') return { refused: 'The custom domain is not pending_tls' };
  const { domainId } = domain;
  const seen = await looks('Try a TLS handshake').probeDomainTls({ hostname });
  if (seen.isValid) {
    const activated = await records('Activate the hostname').activateCustomDomain({ domainId, by });
    return { refused: activated ? null : 'The custom domain was deactivated' };
  }
  return { refused: await recordTls(domain, seen, by) };
}

function show(domain: WatchedDomain | null): void {
  if (!domain) {
    setCurrentDetails('**Not pending.** A request starts another run.');
    return;
  }
  const { hostname, token, observed, reason, lastCheckedAt, watch } = domain;
  const { name, value } = dnsRecordOf(hostname, token);
  const at = (ms: number | null, otherwise: string) => (ms === null ? otherwise : new Date(ms).toISOString());
  setCurrentDetails(
    [
      `**${watch.state}** ${reason ?? 'not checked yet'}.`,
      `Expected: TXT ${name} = \`${value}\`\n\nObserved: ${observedText(observed)}`,
      `Last check ${at(lastCheckedAt, 'none')}, next ${at(watch.nextCheckAt, 'on request: 72 h have passed')}.`,
      `The owner sets the ${watch.state === 'pending_dns' ? 'record' : 'certificate'} up; a verify request checks at once.`,
    ].join('\n\n'),
  );
}

const observedText = (observed: string[] | null): string => {
  if (observed === null) return 'not checked yet';
  return observed.length === 0 ? 'nothing' : observed.map((value) => `\`${value.slice(0, 100)}\``).join(', ');
};
