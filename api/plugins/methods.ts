import type { App } from '../context.js';
import { frameworkRefused } from '../errors.js';

/**
 * 405 with `Allow` for a method that a path does not have (RFC 9110), before anything else is judged; to be registered
 * before the routes. A path without any route stays 404, and `OPTIONS` belongs to whoever answers preflights.
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
    if (methods.length > 0) done(frameworkRefused(405, { allow: methods.join(', ') }));
    else done();
  });
}

/** `:name` stands for one segment and `*` for the rest. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );
