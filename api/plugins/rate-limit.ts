import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.js';
import type { App } from '../context.js';
import { Refused } from '../http-error.js';

/** What the framework's limiter says of a request, or a count of our own. */
type RateLimitVerdict =
  | { isAllowed: true }
  | { isAllowed: false; max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean };

/** The standard `RateLimit-*` headers, and 429 with `Retry-After` when the limit is used up (D6). @throws Refused */
export function refuseWhenExceeded(reply: FastifyReply, verdict: RateLimitVerdict): void {
  if (verdict.isAllowed) return;
  void reply.headers({
    'ratelimit-limit': String(verdict.max),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.ttlInSeconds),
  });
  if (!verdict.isExceeded) return;
  void reply.header('retry-after', String(verdict.ttlInSeconds));
  throw new Refused(429, 'Too many requests');
}

/**
 * Counts the refused requests of a scope per address (D6): call it for each before refusing. Requests that are
 * verified are never counted and never held up. @throws Refused 429 beyond the limit
 */
export function countRefusals(
  scope: App,
  { RATE_LIMIT_UNVERIFIED_PER_MINUTE: max }: Config,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const perAddress = scope.createRateLimit({ max, timeWindow: '1 minute' });
  return async (request, reply) => refuseWhenExceeded(reply, await perAddress(request));
}
