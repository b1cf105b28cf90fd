import type { ServiceName } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { createApp } from './app.js';

/** How long pending responses may take during a shutdown. */
const closeTimeoutMs = 20_000;

export interface RunningApi {
  /** Makes `/ready` fail and closes each connection after its next response. */
  announceStop: () => void;
  /** Rejects new requests, waits for pending responses, and closes the port. */
  close: () => Promise<void>;
}

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
      await app.stopping.rejectNew(closeTimeoutMs);
      await app.close();
      clearTimeout(deadline);
    },
  };
}
