import type { Config } from '../../platform/config.js';
import type { App } from '../context.js';

/**
 * What browsers and caches between must not do with an answer: keep it, guess its type, frame it, run any of it, or tell
 * others where it was. A page that needs more says so itself, in place of these.
 */
export function setResponseHeaders(app: App, { NODE_ENV }: Config): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Development speaks http on a name that other things run on too.
    ...(NODE_ENV === 'production' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}
