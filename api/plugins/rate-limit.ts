import type { FastifyReply } from 'fastify';
import type { App } from '../context.js';
import { Refused } from '../http-error.js';

type RateLimitVerdict = Awaited<ReturnType<ReturnType<App['createRateLimit']>>>;

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
