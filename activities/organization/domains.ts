import type { Sql } from '../../db/client.js';
import type { Actor } from '../../domain/organization/actor.js';
import {
  activateDomain,
  findWatchedDomain,
  recordLook,
  type RecordedLook,
} from '../../db/organization/custom-domains.js';
import {
  type DnsObservation,
  dnsRecordOf,
  type TlsObservation,
} from '../../domain/organization/custom-domains.js';
import type { DnsClient } from '../../integrations/custom-domain/dns.js';
import type { TlsProbe } from '../../integrations/custom-domain/tls.js';
import { callLimits } from '../calls.js';

export const createDomainActivities = ({ sql, dns, tls }: { sql: Sql; dns: DnsClient; tls: TlsProbe }) => ({
  /** Reads a pending hostname; null when it is not pending. Safe to retry: it only reads. */
  async readWatchedDomain({ hostname }: { hostname: string }) {
    const domain = await findWatchedDomain(sql, hostname);
    if (!domain) return null;
    const { id, verificationToken, observed, reason, lastCheckedAt, state, checks } = domain;
    return {
      domainId: id,
      hostname,
      token: verificationToken,
      observed,
      reason,
      lastCheckedAt: lastCheckedAt?.getTime() ?? null,
      watch: {
        state,
        checks,
        watchedSince: domain.watchedSince.getTime(),
        nextCheckAt: domain.nextCheckAt?.getTime() ?? null,
      },
    };
  },

  /** Looks up the DNS record that proves ownership. A DNS error is a result. Safe to retry: it only reads. */
  async lookUpDomainRecord({ hostname }: { hostname: string }): Promise<DnsObservation> {
    const { timeoutMs } = callLimits();
    return dns.textsOf(dnsRecordOf(hostname, '').name, { timeoutMs });
  },

  /** Tries a TLS handshake with the hostname. A failed handshake is a result. Safe to retry: it changes nothing. */
  async probeDomainTls({ hostname }: { hostname: string }): Promise<TlsObservation> {
    const { timeoutMs } = callLimits();
    return tls.probe(hostname, { timeoutMs });
  },

  /** Records a check. Safe to retry: it writes the same again, and skips a hostname that changed state. */
  recordDomainLook: (look: RecordedLook) => recordLook(sql, look),

  /**
   * Activates a hostname, with its event. Safe to retry: an active one stays as it is.
   * @returns false when it was given up meanwhile
   */
  activateCustomDomain: (activation: { domainId: string; by: Actor }) => activateDomain(sql, activation),
});

export type DomainActivities = ReturnType<typeof createDomainActivities>;
/** Times are epoch milliseconds. */
export type WatchedDomain = NonNullable<Awaited<ReturnType<DomainActivities['readWatchedDomain']>>>;
