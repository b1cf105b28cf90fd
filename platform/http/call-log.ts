import { AsyncLocalStorage } from 'node:async_hooks';
import { callSeconds } from '../metrics.js';

/** One exchange with another party, as it is kept: what for and how it ended, nothing that was said. */
export interface OutboundCall {
  party: string;
  method: string;
  /** The kind of thing it was about, e.g. `Patient`; never its id. */
  resource: string;
  /** null when no answer came. */
  status: number | null;
  error: string | null;
  durationMs: number;
  endedAt: Date;
}

const storage = new AsyncLocalStorage<OutboundCall[]>();

/** Runs `fn` and hands what it called to `keep` afterwards, whether it succeeded or not. */
export async function loggingCalls<T>(
  keep: (calls: OutboundCall[]) => void,
  fn: () => Promise<T>,
): Promise<T> {
  const calls: OutboundCall[] = [];
  try {
    return await storage.run(calls, fn);
  } finally {
    if (calls.length > 0) keep(calls);
  }
}

export function noteCall(call: Omit<OutboundCall, 'endedAt'>): void {
  const { party, status, durationMs } = call;
  const answer = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
  callSeconds.observe({ party, answer }, durationMs / 1_000);
  storage.getStore()?.push({ ...call, endedAt: new Date() });
}
