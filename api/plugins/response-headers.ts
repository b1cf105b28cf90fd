import type { Config } from '../../platform/config.js';
import type { App } from '../context.js';

/** Forbids browsers and caches to store, sniff, frame or execute a response. Pages replace these headers. */
export function setResponseHeaders(app: App, { NODE_ENV }: Config): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // In development other programs use http on the same host name.
    ...(NODE_ENV === 'production' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}
