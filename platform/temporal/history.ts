import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/**
 * A run's history as the server has it, payloads sealed: protobuf's JSON of `History`. Temporal is reached by its
 * standard environment.
 * @param runId of several runs under the id; the newest without it
 * @throws WorkflowNotFoundError
 */
export async function fetchHistory(workflowId: string, runId?: string): Promise<unknown> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  try {
    const handle = new Client({ connection, namespace }).workflow.getHandle(workflowId, runId);
    return JSON.parse(historyToJSON(await handle.fetchHistory())) as unknown;
  } finally {
    await connection.close();
  }
}
