import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../logger.js';
import { untilItAnswers } from '../waiting.js';
import type { CodecKeys } from './codec.js';
import { encryptedDataConverter } from './data-converter.js';
import { requestIdClientInterceptor } from './request-id.js';
import { traceClientInterceptor } from './trace.js';

export interface TemporalConnection {
  /** The client of one service: it writes and reads with that service's keys (D90). */
  clientFor: (keys: CodecKeys) => Client;
  /**
   * Once Temporal has answered. Shared by clients and workers of one process: that is what lets a workflow start
   * eagerly on its own worker.
   */
  native: Promise<NativeConnection>;
  namespace: string;
  /** Ends the waits of clients that are under way as if their time were over; what is asked later gets a moment. */
  hurry: () => void;
  close: () => Promise<void>;
}

/** What a call may take after `hurry`: enough for a start or a signal, too little to wait for a run. */
const hurriedMs = 1_000;

/**
 * Connects by Temporal's standard environment (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, keys, profiles), and goes on
 * trying until it answers. Its clients can be had at once: before that, all they are asked fails as it does while
 * Temporal is away.
 * @param signal ends the tries, and with them `native`, which else rejects for a setting that is wrong
 */
export function connectTemporal({
  logger,
  signal,
}: {
  logger: Logger;
  signal: AbortSignal;
}): TemporalConnection {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  let connected: NativeConnection | undefined;
  // Whatever keeps us from a connection may pass, but for an address that is none.
  const native = untilItAnswers('Temporal', () => NativeConnection.connect(connectionOptions), {
    isAway: (error) => !(error instanceof TypeError),
    logger,
    signal,
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
    clientFor: (keys) =>
      new Client({
        connection,
        namespace,
        dataConverter: encryptedDataConverter(keys, 'client'),
        interceptors: { workflow: [requestIdClientInterceptor, traceClientInterceptor] },
      }),
    native,
    namespace,
    hurry: () => {
      isHurried = true;
      for (const end of waits) end(grpcError(cancelled, 'The process is stopping'));
    },
    close: async () => connected?.close(),
  };
}

const cancelled = 1;
const unavailable = 14;

/** As the SDK throws it, so that it is told by its code like the server's own (`starts/runs.ts`). */
const grpcError = (code: number, details: string): Error =>
  Object.assign(new Error(details), { code, details, metadata: {} });
