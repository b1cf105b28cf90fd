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
  type DomainWatch,
  type TlsObservation,
} from '../../domain/organization/custom-domains.js';
import type { DnsClient } from '../../integrations/custom-domain/dns.js';
import type { TlsProbe } from '../../integrations/custom-domain/tls.js';
import { callLimits } from '../call-limits.js';

export interface DomainDependencies {
  sql: Sql;
  dns: DnsClient;
  tls: TlsProbe;
}

/** A pending hostname and how it is watched; times are epoch milliseconds. */
export interface WatchedDomain {
  domainId: string;
  hostname: string;
  token: string;
  observed: string[] | null;
  reason: string | null;
  lastCheckedAt: number | null;
  watch: DomainWatch;
}

export const createDomainActivities = ({ sql, dns, tls }: DomainDependencies) => ({
  /**
   * The hostname as it is pending now; null when it is not.
   *
   * Safe to retry: only reads.
   */
  async readWatchedDomain({ hostname }: { hostname: string }): Promise<WatchedDomain | null> {
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

  /**
   * Looks for the record that proves whose hostname it is. What the DNS does is a result.
   *
   * Safe to retry: only asks.
   */
  async lookUpDomainRecord({ hostname }: { hostname: string }): Promise<DnsObservation> {
    const { timeoutMs } = callLimits();
    return dns.textsOf(dnsRecordOf(hostname, '').name, { timeoutMs });
  },

  /**
   * Tries a TLS handshake with the hostname. Whatever comes of it is a result.
   *
   * Safe to retry: only looks.
   */
  async probeDomainTls({ hostname }: { hostname: string }): Promise<TlsObservation> {
    const { timeoutMs } = callLimits();
    return tls.probe(hostname, { timeoutMs });
  },

  /**
   * Records what a look has shown and when the next one comes.
   *
   * Safe to retry: what follows is written as it is, and a hostname that has changed its state meanwhile is left alone.
   */
  async recordDomainLook(look: RecordedLook): Promise<void> {
    await recordLook(sql, look);
  },

  /**
   * Makes a hostname active, with its event.
   * @returns false when it was given up in the meantime
   *
   * Safe to retry: one that is active already stays as it is.
   */
  async activateCustomDomain(activation: { domainId: string; by: Actor }): Promise<boolean> {
    return activateDomain(sql, activation);
  },
});

export type DomainActivities = ReturnType<typeof createDomainActivities>;
