import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const storage = new AsyncLocalStorage<string>();

/** Log lines and outbound calls of `fn` carry this request id (D11). */
export const withRequestId = <T>(requestId: string, fn: () => T): T => storage.run(requestId, fn);

export const currentRequestId = (): string | undefined => storage.getStore();

/** The caller's `X-Request-Id` if it is well-formed, otherwise a new one (D11). */
export const acceptRequestId = (header: unknown): string =>
  typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : randomUUID();
