import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../../platform/config.js';
import { encryptedDataConverter } from '../../platform/temporal/data-converter.js';

/** A client that waits for nothing longer than it is told, and tells of every run that it begins or joins. */
export interface Impatient {
  client: Client;
  patienceMs: number;
  close: () => Promise<void>;
}

export async function openImpatientClient(
  server: { address: string; namespace: string },
  { TEMPORAL_CODEC_KEYS }: Pick<Config, 'TEMPORAL_CODEC_KEYS'>,
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
    dataConverter: encryptedDataConverter(TEMPORAL_CODEC_KEYS),
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
