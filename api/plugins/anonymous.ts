import type { onRequestAsyncHookHandler, RouteOptions } from 'fastify';
import type { App } from '../context.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who proves themselves before the body is read. Without it, anybody may call the route. */
    caller?: 'key' | 'admin' | 'outside system';
  }
}

const formBytes = 256 * 1024;

/**
 * Options of a route that anybody may call (D159). The body is judged by its length, and counted for the caller's address,
 * before it is read; a request that ends in 400 counts too.
 * @param limit from `limitPerAddress`
 */
export const forAnybody = (limit: onRequestAsyncHookHandler) => ({ bodyLimit: 4 * 1024, onRequest: limit });

/** As `forAnybody`, for a filled-in form. */
export const formForAnybody = (limit: onRequestAsyncHookHandler) => ({
  bodyLimit: formBytes,
  onRequest: limit,
});

/** For routes of a scope that check a secret or a signature of an outside system before they read the body. */
export function callersHaveSecret(scope: App): void {
  scope.addHook('onRoute', ({ config = {} }) => void (config.caller = 'outside system'));
}

/** Stops the start if a route that anybody may call reads a body without these limits (D159). */
export function requireLimitsForAnybody(app: App): void {
  const routes: Pick<RouteOptions, 'config' | 'method' | 'url' | 'bodyLimit' | 'onRequest'>[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  // The scopes' own hooks have run by then.
  app.addHook('onReady', async () => {
    for (const { config: { caller } = {}, method, url, bodyLimit, onRequest } of routes) {
      const readsBody = [method].flat().some((name) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(name));
      if (!readsBody || caller !== undefined) continue;
      if (bodyLimit === undefined || bodyLimit > formBytes || onRequest === undefined)
        throw new Error(`${String(method)} ${url} has no limits for anybody`);
    }
  });
}
