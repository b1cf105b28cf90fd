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
  tlsReason,
} from '../../domain/organization/custom-domains.js';
import { activateUpdate, recheckSignal, verifyUpdate } from '../messages.js';
import { oneAtATime } from '../one-at-a-time.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';

const records = ownRecords<DomainActivities>();
// A look gives up by itself, and its failure is a result; what fails is a fault of our own, and passes.
const looks = ordinary<DomainActivities>({
  startToCloseTimeout: '6 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** For a hostname whose organization was archived meanwhile, of which nobody tells the run. */
const looksIntoTableEvery = '24 hours';

/**
 * Watches a pending hostname: first for the DNS record that proves whose it is, then for a valid certificate, each
 * for 72 h with growing pauses (D78); then it waits for a person (D109). The table says what is watched and when; a run
 * ends when nothing is, and the next request starts another. Activation is asked for, never done by the clock.
 */
export async function verifyCustomDomain(hostname: string): Promise<void> {
  let nudged = false;
  const isNudged = () => nudged;
  // Looks and activations of a hostname.
  const inTurn = oneAtATime();
  setHandler(recheckSignal, () => void (nudged = true));
  setHandler(verifyUpdate, (by) =>
    inTurn(async () => {
      nudged = true;
      const domain = await read(hostname);
      if (domain) await look(domain, by);
      return undefined;
    }),
  );
  setHandler(activateUpdate, (by) =>
    inTurn(async () => {
      nudged = true;
      return activate(hostname, by);
    }),
  );

  for (;;) {
    nudged = false;
    const domain = await inTurn(async () => {
      const pending = await read(hostname);
      if (pending && isDue(pending)) await look(pending, null);
      return pending;
    });
    if (domain && isDue(domain)) continue;
    show(domain);
    if (domain && domain.watch.nextCheckAt !== null) {
      clearWaiting();
      await condition(isNudged, domain.watch.nextCheckAt - Date.now());
    } else if (domain) {
      upsertSearchAttributes([{ key: rxWaiting, value: 'domain_unverified' }]);
      await condition(isNudged, looksIntoTableEvery);
    } else if (!allHandlersFinished()) {
      await condition(allHandlersFinished);
    } else if (!isNudged()) {
      // Nothing may be awaited between the look at the signal and here: what comes later starts the next run.
      clearWaiting();
      return;
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await continueAsNew(hostname);
  }
}

const read = (hostname: string) => records('Read the hostname').readWatchedDomain({ hostname });

const isDue = ({ watch: { nextCheckAt } }: WatchedDomain): boolean =>
  nextCheckAt !== null && nextCheckAt <= Date.now();

/** One look at what is awaited, and its record. @param by who asked for it; null: the clock */
async function look(domain: WatchedDomain, by: Actor | null): Promise<void> {
  const { domainId, hostname, token, watch } = domain;
  const isAsked = by !== null;
  if (watch.state === 'pending_dns') {
    const seen = await looks('Look up the DNS record').lookUpDomainRecord({ hostname });
    const isMet = provesOwnership(seen, token);
    const now = Date.now();
    await records(isMet ? 'Record that the record is there' : 'Record the look').recordDomainLook({
      domainId,
      from: watch.state,
      watch: afterLook(watch, { isMet, isAsked, now }),
      observed: seen.values,
      reason:
        dnsReason(dnsRecordOf(hostname, token), seen) ??
        `The DNS record is there; a valid certificate at ${hostname} is awaited`,
      checkedAt: now,
      by,
    });
    return;
  }
  const seen = await looks('Try a TLS handshake').probeDomainTls({ hostname });
  const now = Date.now();
  await records('Record the look').recordDomainLook({
    domainId,
    from: watch.state,
    watch: afterLook(watch, { isMet: seen.isValid, isAsked, now }),
    reason: tlsReason(hostname, seen),
    checkedAt: now,
    by,
  });
}

async function activate(hostname: string, by: Actor): Promise<Activation> {
  const domain = await read(hostname);
  if (domain?.watch.state !== 'pending_tls') return { refused: 'The custom domain is not pending_tls' };
  const { domainId, watch } = domain;
  const seen = await looks('Try a TLS handshake').probeDomainTls({ hostname });
  if (seen.isValid) {
    const activated = await records('Activate the hostname').activateCustomDomain({ domainId, by });
    return { refused: activated ? null : 'The custom domain was deactivated' };
  }
  const now = Date.now();
  const reason = tlsReason(hostname, seen);
  await records('Record the look').recordDomainLook({
    domainId,
    from: watch.state,
    watch: afterLook(watch, { isMet: false, isAsked: true, now }),
    reason,
    checkedAt: now,
    by,
  });
  return { refused: reason };
}

function clearWaiting(): void {
  if (workflowInfo().typedSearchAttributes.get(rxWaiting) !== undefined)
    upsertSearchAttributes([{ key: rxWaiting, value: null }]);
}

/** For the operator who is asked why a hostname is still pending. */
function show(domain: WatchedDomain | null): void {
  if (!domain) {
    setCurrentDetails('**Not pending.** Nothing is watched; a request starts another run.');
    return;
  }
  const { hostname, token, observed, reason, lastCheckedAt, watch } = domain;
  const { name, value } = dnsRecordOf(hostname, token);
  const at = (ms: number | null, otherwise: string) => (ms === null ? otherwise : new Date(ms).toISOString());
  setCurrentDetails(
    [
      `**${watch.state}** ${reason ?? 'not looked at yet'}.`,
      `Expected: TXT ${name} = \`${value}\`\n\nObserved: ${observedText(observed)}`,
      `Last look ${at(lastCheckedAt, 'none')}, next ${at(watch.nextCheckAt, 'when asked for: 72 h have passed')}.`,
      `The owner sets the ${watch.state === 'pending_dns' ? 'record' : 'certificate'} up; verifying looks at once.`,
    ].join('\n\n'),
  );
}

const observedText = (observed: string[] | null): string => {
  if (observed === null) return 'not looked at yet';
  return observed.length === 0 ? 'nothing' : observed.map((value) => `\`${value.slice(0, 100)}\``).join(', ');
};
