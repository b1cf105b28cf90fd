import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { temporal } from './proto.js';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/**
 * Fetches a history with encrypted payloads. Connects with Temporal's standard environment.
 * @param runId the newest run by default
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
  if (typeof value !== 'object' || (!isTime && !/(Timeout|Backoff|Interval|Delay)$/.test(name))) return value;
  const { seconds = '0', nanos = 0 } = value as { seconds?: string; nanos?: number };
  // Protobuf writes 0, 3, 6 or 9 digits.
  const digits = String(nanos).padStart(9, '0');
  const length = nanos === 0 ? 0 : digits.endsWith('000000') ? 3 : digits.endsWith('000') ? 6 : 9;
  const fraction = length === 0 ? '' : `.${digits.slice(0, length)}`;
  return isTime
    ? new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', `${fraction}Z`)
    : `${seconds}${fraction}s`;
}
