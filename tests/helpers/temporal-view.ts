import {
  Client,
  Connection,
  type WorkflowExecutionStatusName,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { DevJson } from '../../dev/dev-json.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import { loadSecrets, type Secrets } from '../../dev/start/secrets.js';
import { keyRing } from '../../platform/config-values.js';
import type { Key } from '../../platform/crypto/key-ring.js';
import { encryptedDataConverter } from '../../platform/temporal/codec.js';
import { eventually } from './client.js';

/** The workflows as an operator with the codec's keys reads them. */
export interface TemporalView {
  client: Client;
  /** How the newest run of a workflow stands; undefined where there is none. */
  statusOf: (workflowId: string) => Promise<WorkflowExecutionStatusName | undefined>;
  /** The current details of a run. */
  detailsOf: (workflowId: string) => Promise<string>;
  /** The ids of the workflows that a query finds; the visibility store lags behind, so it waits for the first. */
  idsOf: (query: string) => Promise<string[]>;
  close: () => Promise<void>;
}

/** All rings of a development system, as the codec server has them. */
const codecKeysOf = (secrets: Secrets): Key[] =>
  Object.entries(secrets).flatMap(([name, ring]) => (name.endsWith('CodecKeys') ? keyRing.parse(ring) : []));

export async function openTemporal(dev: DevJson, stateDir = defaultStateDir()): Promise<TemporalView> {
  const connection = await Connection.connect({ address: dev.temporal.address });
  const dataConverter = encryptedDataConverter({ own: codecKeysOf(loadSecrets(stateDir)) }, 'client');
  const client = new Client({ connection, dataConverter });
  return {
    client,
    statusOf: async (workflowId) => {
      try {
        return (await client.workflow.getHandle(workflowId).describe()).status.name;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      }
    },
    detailsOf: async (workflowId) => {
      const handle = client.workflow.getHandle(workflowId);
      return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
    },
    idsOf: (query) =>
      eventually(async () => {
        const ids: string[] = [];
        for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
        return ids.length > 0 && ids;
      }),
    close: () => connection.close(),
  };
}
