import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.js';
import type { App } from '../context.js';
import { standardError } from '../errors.js';

type RateLimitVerdict =
  | { isAllowed: true }
  | { isAllowed: false; max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean };

/** Sets the `RateLimit-*` headers (D6). @throws HttpError 429 with `Retry-After` beyond the limit */
export function rejectWhenExceeded(reply: FastifyReply, verdict: RateLimitVerdict): void {
  if (verdict.isAllowed) return;
  void reply.headers({
    'ratelimit-limit': String(verdict.max),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.ttlInSeconds),
  });
  if (!verdict.isExceeded) return;
  void reply.header('retry-after', String(verdict.ttlInSeconds));
  throw standardError(429);
}

/** Counts each call for the client's address and minute. @throws HttpError 429 beyond the limit */
export function limitPerAddress(scope: App, max: number) {
  const perAddress = scope.createRateLimit({ max, timeWindow: '1 minute' });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    rejectWhenExceeded(reply, await perAddress(request));
}

/**
 * Counts the unverified requests of a scope per address (D6). Call it before rejecting a request; verified requests are
 * not counted. @throws HttpError 429 beyond the limit
 */
export const countUnverified = (scope: App, { RATE_LIMIT_UNVERIFIED_PER_MINUTE: max }: Config) =>
  limitPerAddress(scope, max);
