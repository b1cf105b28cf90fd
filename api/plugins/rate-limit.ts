import type { FastifyReply } from 'fastify';
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
