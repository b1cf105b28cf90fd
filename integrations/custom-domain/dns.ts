import { Resolver } from 'node:dns/promises';
import type { DnsObservation } from '../../domain/organization/custom-domains.js';

/** These codes mean that there is no record; others mean that the query failed. */
const nothing = new Set(['ENODATA', 'ENOTFOUND']);

export type DnsClient = ReturnType<typeof createDnsClient>;

/** DNS queries. They return faults instead of throwing. @param servers `host:port` entries; the system's own if empty */
export function createDnsClient(servers: readonly string[]) {
  /** Each query has its own resolver, because `cancel` ends all queries of a resolver. */
  async function ask<T>(
    timeoutMs: number,
    question: (resolver: Resolver) => Promise<T[]>,
  ): Promise<{ found: T[]; fault: string | null }> {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const overdue = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      return { found: await question(resolver), fault: null };
    } catch (error) {
      const { code = 'EFAIL' } = error as { code?: string };
      return { found: [], fault: nothing.has(code) ? null : code };
    } finally {
      clearTimeout(overdue);
    }
  }

  return {
    /** The values of the TXT records of a name, without NUL, which Postgres rejects. */
    async textsOf(name: string, { timeoutMs }: { timeoutMs: number }): Promise<DnsObservation> {
      const { found, fault } = await ask(timeoutMs, (resolver) => resolver.resolveTxt(name));
      const values = found.map((parts) => parts.join('').replaceAll('\0', ''));
      return { values: values.slice(0, maxValues), fault };
    },
    async addressesOf(hostname: string, { timeoutMs }: { timeoutMs: number }) {
      const [v4, v6] = await Promise.all([
        ask(timeoutMs, (resolver) => resolver.resolve4(hostname)),
        ask(timeoutMs, (resolver) => resolver.resolve6(hostname)),
      ]);
      return { addresses: [...v4.found, ...v6.found], fault: v4.fault ?? v6.fault };
    },
  };
}

/** A name may have very many records. */
const maxValues = 20;
