import { callSeconds } from '../metrics.js';

/** One exchange with an external service: its subject and outcome, and nothing of what was said. */
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

/** Receives each call that a client has made. */
export type OnCall = (call: OutboundCall) => void;

/** Measures a call, and hands it to whoever records the calls of its client. */
export function noteCall(call: Omit<OutboundCall, 'endedAt'>, onCall?: OnCall): void {
  const { party, status, durationMs } = call;
  const answer = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
  callSeconds.observe({ party, answer }, durationMs / 1_000);
  onCall?.({ ...call, endedAt: new Date() });
}
