import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { temporal as temporalTypes } from '@temporalio/proto';
import { temporal } from './proto.js';

type ListedPage = temporalTypes.api.workflowservice.v1.IListWorkflowExecutionsResponse;
type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** Reads runs with encrypted payloads. Connects with Temporal's standard environment. */
export async function openTemporal() {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  const { workflow } = new Client({ connection, namespace });
  return {
    /** Runs that a visibility query finds, newest first. The client's own list would decode their memos. */
    async *list(query: string): AsyncGenerator<{ workflowId: string; runId: string; startedAt: Date }> {
      let nextPageToken: ListedPage['nextPageToken'] = null;
      do {
        const page: ListedPage = await connection.workflowService.listWorkflowExecutions({
          namespace,
          query,
          nextPageToken,
        });
        for (const { execution, startTime } of page.executions ?? [])
          yield {
            workflowId: execution?.workflowId ?? '',
            runId: execution?.runId ?? '',
            startedAt: new Date(Number(startTime?.seconds ?? 0) * 1_000),
          };
        nextPageToken = page.nextPageToken ?? null;
      } while (nextPageToken?.length);
    },
    /** @throws WorkflowNotFoundError */
    fetch: async (workflowId: string, runId: string) =>
      historyJson(await workflow.getHandle(workflowId, runId).fetchHistory()),
    close: () => connection.close(),
  };
}

/** A history as protobuf JSON, which the SDK replays. */
export interface HistoryJson {
  events: (Record<string, unknown> & { eventType: string })[];
}

export function historyJson(history: History): HistoryJson {
  const plain = temporal.api.history.v1.History.toObject(temporal.api.history.v1.History.create(history), {
    enums: String,
    longs: String,
    bytes: String,
  });
  return JSON.parse(JSON.stringify(plain, asProtobufJson)) as HistoryJson;
}

/** Protobuf JSON writes times and durations as texts; the library has seconds and nanoseconds. */
function asProtobufJson(name: string, value: unknown): unknown {
  const isTime = name.endsWith('Time');
  // A search attribute may be named like a time, and is a payload.
  if (typeof value !== 'object' || value === null || 'metadata' in value) return value;
  if (!isTime && !/(Timeout|Backoff|Interval|Delay)$/.test(name)) return value;
  const { seconds = '0', nanos = 0 } = value as { seconds?: string; nanos?: number };
  // Protobuf writes 0, 3, 6 or 9 digits.
  const digits = String(nanos).padStart(9, '0');
  const length = nanos === 0 ? 0 : digits.endsWith('000000') ? 3 : digits.endsWith('000') ? 6 : 9;
  const fraction = length === 0 ? '' : `.${digits.slice(0, length)}`;
  return isTime
    ? new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', `${fraction}Z`)
    : `${seconds}${fraction}s`;
}
