import type { ServiceName } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { createApp } from './app.js';

/** How long answers under way may take once a stop is asked for. */
const closeTimeoutMs = 20_000;

export interface RunningApi {
  /** Says at `/ready` that it stops, and answers as before; connections end with their next answer. */
  announceStop: () => void;
  /** Refuses what is new, waits for the answers under way within a bound, and closes the port. */
  close: () => Promise<void>;
}

/** Listens for one service. */
export async function startApi<C extends Context>(
  name: ServiceName,
  service: Service<C>,
  context: C,
): Promise<RunningApi> {
  const { config, logger } = context;
  const app = await createApp(service, context);
  await app.listen({ host: config.HOST, port: config.ports[name] });
  logger.info({ port: config.ports[name] }, 'listening');
  return {
    announceStop: () => {
      app.stopping.isAnnounced = true;
    },
    close: async () => {
      const deadline = setTimeout(() => app.server.closeAllConnections(), closeTimeoutMs);
      await app.stopping.refuseRest(closeTimeoutMs);
      await app.close();
      clearTimeout(deadline);
    },
  };
}
