import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

interface RequestContext {
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `fn` so that logs and outbound calls made inside carry this request id (D11). */
export const withRequestId = <T>(requestId: string, fn: () => T): T => storage.run({ requestId }, fn);

export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Takes a caller's `X-Request-Id` when it is well-formed, else makes one (D11). */
export const acceptRequestId = (header: unknown): string =>
  typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : randomUUID();
