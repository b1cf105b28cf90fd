import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../logger.js';
import { untilItAnswers } from '../waiting.js';
import { type CodecKeys, encryptedDataConverter } from './codec.js';
import { contextClientInterceptor } from './interceptors.js';

export type TemporalConnection = ReturnType<typeof connectTemporal>;

/** Time for a call after `hurry`: enough for a start or signal, too short to wait for a result. */
const hurriedMs = 1_000;

/**
 * Connects with Temporal's standard environment (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, keys, profiles), and retries
 * until it answers. Clients exist at once; until then their calls fail as in an outage.
 * @param signal ends the retries and rejects `native`; an invalid setting rejects it too
 */
export function connectTemporal(options: { logger: Logger; signal: AbortSignal }) {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  let connected: NativeConnection | undefined;
  // Every failure may pass, except an invalid address.
  const native = untilItAnswers('Temporal', () => NativeConnection.connect(connectionOptions), {
    isAway: (error) => !(error instanceof TypeError),
    ...options,
  }).then((connection) => (connected = connection));

  let isHurried = false;
  const waits = new Set<(reason: Error) => void>();
  const withDeadline = async <T>(deadline: number | Date, call: () => Promise<T>): Promise<T> => {
    if (!connected) throw grpcError(unavailable, 'Temporal has not answered yet');
    const answer = connected.withDeadline(
      isHurried ? Math.min(Number(deadline), Date.now() + hurriedMs) : deadline,
      call,
    );
    return new Promise<T>((resolve, reject) => {
      waits.add(reject);
      void answer.then(resolve, reject).finally(() => waits.delete(reject));
    });
  };
  const connection = new Proxy(Object.create(NativeConnection.prototype) as NativeConnection, {
    get(_target, name): unknown {
      if (name === 'plugins') return [];
      if (name === 'withDeadline') return withDeadline;
      if (!connected) throw grpcError(unavailable, 'Temporal has not answered yet');
      return Reflect.get(connected, name);
    },
  });

  return {
    /** The client of one service, with that service's keys (D90). */
    clientFor: (keys: CodecKeys) =>
      new Client({
        connection,
        namespace,
        dataConverter: encryptedDataConverter(keys, 'client'),
        interceptors: { workflow: [contextClientInterceptor] },
      }),
    /** Resolves once Temporal answers. Clients and workers share it, so that workflows can start eagerly. */
    native,
    namespace,
    /** Cancels pending client calls. Later calls get at most one second. */
    hurry: (): void => {
      isHurried = true;
      for (const end of waits) end(grpcError(cancelled, 'The process is stopping'));
    },
    close: async (): Promise<void> => connected?.close(),
  };
}

const cancelled = 1;
const unavailable = 14;

/** In the SDK's shape: `starts/runs.ts` reads the code. */
const grpcError = (code: number, details: string): Error =>
  Object.assign(new Error(details), { code, details, metadata: {} });
