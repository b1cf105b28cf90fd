import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { allowedOf, type Logger } from '../logger.js';

/**
 * Sends the SDK's log through ours and leaves signals to the process. Call once, before any connection.
 * @param metricsPort loopback port of the SDK's metrics; none by default
 */
export function installRuntime(logger: Logger, metricsPort?: number): void {
  Runtime.install({
    shutdownSignals: [],
    workerHeartbeatInterval: '15 s',
    logger: new DefaultLogger('WARN', ({ level, meta }) => {
      const { error, ...fields } = meta ?? {};
      const line = allowedOf({
        ...fields,
        ...(error === undefined ? {} : { err: error as unknown }),
        ...(isTransportError(error) ? { reason: error.message.slice(0, 200) } : {}),
      });
      if (level === 'ERROR') logger.error(line, 'temporal');
      else logger.warn(line, 'temporal');
    }),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      ...(metricsPort === undefined
        ? {}
        : {
            metrics: {
              prometheus: {
                bindAddress: `127.0.0.1:${metricsPort}`,
                countersTotalSuffix: true,
                unitSuffix: true,
                useSecondsForDurations: true,
              },
            },
          }),
    },
  });
}

/** The server's reason for rejecting a worker, without patient data. */
const isTransportError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'TransportError';

/** A free loopback port: the SDK cannot choose one itself. */
export async function freeLoopbackPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
