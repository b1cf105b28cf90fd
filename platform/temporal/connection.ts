import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Key } from '../crypto/key-ring.js';
import { encryptedDataConverter } from './data-converter.js';
import { requestIdClientInterceptor } from './request-id.js';

export interface TemporalConnection {
  client: Client;
  /** Shared by client and workers of one process: that is what lets a workflow start eagerly on its own worker. */
  native: NativeConnection;
  namespace: string;
  close: () => Promise<void>;
}

/** Connects by Temporal's standard environment (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, keys, profiles). */
export async function connectTemporal(codecKeys: readonly Key[]): Promise<TemporalConnection> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const native = await NativeConnection.connect(connectionOptions);
  const client = new Client({
    connection: native,
    namespace,
    dataConverter: encryptedDataConverter(codecKeys),
    interceptors: { workflow: [requestIdClientInterceptor] },
  });
  return { client, native, namespace, close: () => native.close() };
}
