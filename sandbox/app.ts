import Fastify from 'fastify';
import { parse as parseForm } from 'qs';
import type { Config } from './config.js';
import { control } from './control.js';
import { observe, readBodies } from './exchange.js';
import { openOutside } from './outside.js';
import { servePage } from './page.js';
import { createParties } from './parties/index.js';

const BODY_LIMIT_BYTES = 16 << 20;

/** A running sandbox. */
export interface Sandbox {
  url: string;
  /** Ports of services that do not speak HTTP, by target (`smtp`, `tls`, `dns`). */
  ports: Record<string, number>;
  close: () => Promise<void>;
}

/**
 * Starts all external services and returns once they listen.
 * @throws the socket's error if a port is in use (`code` EADDRINUSE), or the reason why a ledger is unreadable
 */
export async function startSandbox(config: Config): Promise<Sandbox> {
  const outside = openOutside(config);
  const parties = await createParties(outside);
  // Connections that hang on purpose must not delay the stop.
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    pluginTimeout: 120_000, // the framework ends a start after ten seconds, which a busy machine may need
    forceCloseConnections: true,
    // A client that is busy for a moment must not use a connection just as it is ended for being idle.
    keepAliveTimeout: 600_000,
    // Stripe's coupon ids have up to 500 characters, each up to nine in a URL.
    routerOptions: { querystringParser: (text) => parseForm(text), maxParamLength: 4_500 },
  });
  readBodies(app);

  for (const party of parties) {
    for (const prefix of party.prefixes) {
      app.register(
        async (scope) => {
          observe(scope, party, outside);
          scope.setNotFoundHandler((_request, reply) =>
            reply.code(404).send(party.errorBody(404, 'Not found')),
          );
          party.routes(scope);
        },
        { prefix },
      );
    }
  }
  app.register(async (scope) => control(scope, outside, parties), { prefix: '/_sandbox' });
  servePage(app);

  const close = async (): Promise<void> => {
    await app.close();
    for (const party of parties) await party.close?.();
    outside.requests.close();
    outside.messages.close();
    outside.orders.close();
    outside.articles.close();
    outside.prices.close();
  };
  try {
    const ports: Record<string, number> = {};
    for (const party of parties) {
      if (party.listen) ports[party.target] = await party.listen();
    }
    const url = await app.listen({ host: config.HOST, port: config.SANDBOX_PORT });
    return { url, ports, close };
  } catch (error) {
    await close();
    throw error;
  }
}
