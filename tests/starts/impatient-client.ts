import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { type CodecKeys, encryptedDataConverter } from '../../platform/temporal/codec.js';

/** A client that waits for nothing longer than it is told, and tells of every run that it begins or joins. */
export interface Impatient {
  client: Client;
  patienceMs: number;
  close: () => Promise<void>;
}

/** One ring for every service: nobody serves these runs, and their APIs and the tests read each other's. */
export const unservedKeys: CodecKeys = { own: [{ id: 'unserved', key: Buffer.alloc(32, 'unserved') }] };

export async function openImpatientClient(
  server: { address: string; namespace: string },
  keys: CodecKeys,
  begun: (workflowId: string) => void,
): Promise<Impatient> {
  const { address, namespace } = server;
  const connection = await NativeConnection.connect({ address });
  class ImpatientClient extends Client {
    override withDeadline<T>(deadline: number | Date, work: () => Promise<T>): Promise<T> {
      return super.withDeadline(Math.min(Number(deadline), Date.now() + impatient.patienceMs), work);
    }
  }
  const client = new ImpatientClient({
    connection,
    namespace,
    dataConverter: encryptedDataConverter(keys, 'client'),
    interceptors: {
      workflow: [
        {
          startWithDetails: (input, next) =>
            next(input).finally(() => {
              begun(input.options.workflowId);
            }),
        },
      ],
    },
  });
  const impatient = { client, patienceMs: 60_000, close: () => connection.close() };
  return impatient;
}
