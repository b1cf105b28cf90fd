import type { App } from '../context.js';
import { standardError } from '../errors.js';

/**
 * Rejects an unsupported method with 405 and `Allow` (RFC 9110) before any other check. Register it before the routes.
 * A path without routes stays 404, and `OPTIONS` is left to preflight handlers.
 */
export function rejectOtherMethods(app: App): void {
  const routes: { method: string; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat())
      if (name !== 'OPTIONS') routes.push({ method: name, path: patternOf(url) });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const [path = ''] = request.url.split('?');
    const allowed = request.is404 ? routes.filter((route) => route.path.test(path)) : [];
    const methods = [...new Set(allowed.map(({ method }) => method))];
    if (methods.length > 0) done(standardError(405, { allow: methods.join(', ') }));
    else done();
  });
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );
