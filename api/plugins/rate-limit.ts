import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.js';
import type { App } from '../context.js';
import { frameworkRefused } from '../errors.js';

/** What the framework's limiter says of a request, or a count of our own. */
type RateLimitVerdict =
  | { isAllowed: true }
  | { isAllowed: false; max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean };

/** The standard `RateLimit-*` headers, and 429 with `Retry-After` when the limit is used up (D6). @throws Refused */
export function rejectWhenExceeded(reply: FastifyReply, verdict: RateLimitVerdict): void {
  if (verdict.isAllowed) return;
  void reply.headers({
    'ratelimit-limit': String(verdict.max),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.ttlInSeconds),
  });
  if (!verdict.isExceeded) return;
  void reply.header('retry-after', String(verdict.ttlInSeconds));
  throw frameworkRefused(429);
}

type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Counts requests per address and minute: call it for each that is to be counted. @throws Refused 429 beyond the limit */
export function limitPerAddress(scope: App, max: number): Limit {
  const perAddress = scope.createRateLimit({ max, timeWindow: '1 minute' });
  return async (request, reply) => rejectWhenExceeded(reply, await perAddress(request));
}

/**
 * Counts the refused requests of a scope per address (D6): call it for each before refusing. Requests that are
 * verified are never counted and never held up. @throws Refused 429 beyond the limit
 */
export const countUnverified = (scope: App, { RATE_LIMIT_UNVERIFIED_PER_MINUTE: max }: Config): Limit =>
  limitPerAddress(scope, max);
