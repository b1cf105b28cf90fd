import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { CodecKeys } from './codec.js';
import { encryptedDataConverter } from './data-converter.js';
import { requestIdClientInterceptor } from './request-id.js';

export interface TemporalConnection {
  /** The client of one service: it writes and reads with that service's keys (D90). */
  clientFor: (keys: CodecKeys) => Client;
  /** Shared by clients and workers of one process: that is what lets a workflow start eagerly on its own worker. */
  native: NativeConnection;
  namespace: string;
  close: () => Promise<void>;
}

/** Connects by Temporal's standard environment (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, keys, profiles). */
export async function connectTemporal(): Promise<TemporalConnection> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const native = await NativeConnection.connect(connectionOptions);
  const clientFor = (keys: CodecKeys): Client =>
    new Client({
      connection: native,
      namespace,
      dataConverter: encryptedDataConverter(keys, 'client'),
      interceptors: { workflow: [requestIdClientInterceptor] },
    });
  return { clientFor, native, namespace, close: () => native.close() };
}
