import { Resolver } from 'node:dns/promises';
import type { DnsObservation } from '../../domain/organization/custom-domains.js';

/** We ask the DNS this about other people's names. Neither throws: what goes wrong is part of the answer. */
export interface DnsClient {
  /** The values of the TXT records of a name, each put together from its parts. */
  textsOf: (name: string, options: { timeoutMs: number }) => Promise<DnsObservation>;
  addressesOf: (
    hostname: string,
    options: { timeoutMs: number },
  ) => Promise<{ addresses: string[]; fault: string | null }>;
}

/** These codes mean that there is nothing; all others mean that no answer came. */
const nothing = new Set(['ENODATA', 'ENOTFOUND']);

/** @param servers `host:port` each; the system's own when there is none */
export function createDnsClient(servers: readonly string[]): DnsClient {
  /** A resolver per question, since an overdue question is ended with all others of its resolver. */
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
    async textsOf(name, { timeoutMs }) {
      const { found, fault } = await ask(timeoutMs, (resolver) => resolver.resolveTxt(name));
      return { values: found.map((parts) => parts.join('')).slice(0, maxValues), fault };
    },
    async addressesOf(hostname, { timeoutMs }) {
      const [v4, v6] = await Promise.all([
        ask(timeoutMs, (resolver) => resolver.resolve4(hostname)),
        ask(timeoutMs, (resolver) => resolver.resolve6(hostname)),
      ]);
      return { addresses: [...v4.found, ...v6.found], fault: v4.fault ?? v6.fault };
    },
  };
}

/** A name may have very many records; no more than these are worth showing. */
const maxValues = 20;
