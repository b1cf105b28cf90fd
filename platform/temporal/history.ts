import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { temporal } from './proto.js';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/**
 * A run's history as the server has it, with sealed payloads, as Protobuf's JSON of `History`. Temporal is reached by its
 * standard environment.
 * @param runId of several runs under the id; the newest without it
 * @throws WorkflowNotFoundError
 */
export async function fetchHistory(workflowId: string, runId?: string): Promise<HistoryJson> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect(connectionOptions);
  try {
    const handle = new Client({ connection, namespace }).workflow.getHandle(workflowId, runId);
    return historyJson(await handle.fetchHistory());
  } finally {
    await connection.close();
  }
}

/** A history as Protobuf's JSON, which the SDK replays. */
export interface HistoryJson {
  events: (Record<string, unknown> & { eventType: string })[];
}

/** @param history as the client fetches it */
export function historyJson(history: History): HistoryJson {
  const plain = temporal.api.history.v1.History.toObject(temporal.api.history.v1.History.create(history), {
    enums: String,
    longs: String,
    bytes: String,
  });
  return JSON.parse(JSON.stringify(plain, asProtobufJson)) as HistoryJson;
}

/** Protobuf's JSON has times and durations as texts, where the library has seconds and nanoseconds. */
function asProtobufJson(name: string, value: unknown): unknown {
  const isTime = name.endsWith('Time');
  if (typeof value !== 'object' || (!isTime && !/(Timeout|Backoff|Interval|Delay)$/.test(name))) return value;
  const { seconds = '0', nanos = 0 } = value as { seconds?: string; nanos?: number };
  // In groups of three digits, as Protobuf writes them.
  const digits = String(nanos).padStart(9, '0');
  const length = nanos === 0 ? 0 : digits.endsWith('000000') ? 3 : digits.endsWith('000') ? 6 : 9;
  const fraction = length === 0 ? '' : `.${digits.slice(0, length)}`;
  return isTime
    ? new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', `${fraction}Z`)
    : `${seconds}${fraction}s`;
}
