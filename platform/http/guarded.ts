import { lookup as resolve, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, request } from 'undici';
import { currentRequestId } from '../request-context.js';
import { inSpan } from '../tracing.js';
import { networkCode, OutboundError } from './outbound.js';

const privateAddress = (): Error =>
  Object.assign(new Error('not a public address'), { code: 'PRIVATE_ADDRESS' });

const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True if an address is on the public internet. A mapped IPv4 address counts as IPv4; other embedded ones (6to4, Teredo,
 * NAT64, compatible) are not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(globalUnicastV6);
}

export interface GuardedOptions {
  /** Development only. */
  allowPrivate: boolean;
  /** `host:port` entries that may be private. A name alone would open every port of that machine. */
  privateHosts: readonly string[];
}

interface GuardedPost {
  party: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
}

export type GuardedSender = (post: GuardedPost) => Promise<{ status: number }>;

/** A longer response closes its connection instead of returning it to the pool. */
const maxAnswerBytes = 64 * 1024;
const connectTimeoutMs = 5_000;

/**
 * Posts to URLs of clients (reliability point 8). It checks every address of the host and connects to a checked one, so
 * DNS rebinding fails. It follows no redirects and reads only the status.
 * @returns a function that throws OutboundError of kind timeout or network
 */
export function createGuardedSender(options: GuardedOptions): GuardedSender {
  const open = buildConnector({ timeout: connectTimeoutMs });
  const guarded = buildConnector({ timeout: connectTimeoutMs, lookup: publicLookup });
  const dispatcher = new Agent({
    connections: 64,
    keepAliveTimeout: 10_000,
    connect: (target, callback) => {
      const hostname = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
      const { protocol, port } = target;
      const listed = `${target.hostname.toLowerCase()}:${port || (protocol === 'https:' ? '443' : '80')}`;
      if (options.allowPrivate || options.privateHosts.includes(listed)) open(target, callback);
      // Node connects to an IP literal without a lookup.
      else if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) callback(privateAddress(), null);
      else guarded(target, callback);
    },
  });
  return async ({ party, url, headers, body, timeoutMs, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const requestId = currentRequestId();
    try {
      const answer = await inSpan(`${party} POST`, { kind: 'client' }, () =>
        request(url, {
          method: 'POST',
          dispatcher,
          headers: { ...headers, ...(requestId === undefined ? {} : { 'x-request-id': requestId }) },
          body,
          signal: AbortSignal.any([timeout, signal]),
        }),
      );
      await answer.body.dump({ limit: maxAnswerBytes }).catch(() => undefined);
      return { status: answer.statusCode };
    } catch (error) {
      if (timeout.aborted) throw new OutboundError(party, { kind: 'timeout', timeoutMs });
      throw new OutboundError(party, { kind: 'network', code: networkCode(error) });
    }
  };
}

/** Resolves a name like the system, and rejects it if any address is not public. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] | undefined) => {
    const first = addresses?.[0];
    if (error || !addresses || !first) callback(error ?? new Error('no address'), '', 0);
    else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(privateAddress(), '', 0);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
