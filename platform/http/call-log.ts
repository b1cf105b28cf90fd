import { callSeconds } from '../metrics.js';

/** One exchange with an external service, without its content. */
export interface OutboundCall {
  party: string;
  method: string;
  /** Kind of the resource, such as `Patient`; never an id. */
  resource: string;
  /** null without a response. */
  status: number | null;
  error: string | null;
  durationMs: number;
  endedAt: Date;
}

export type OnCall = (call: OutboundCall) => void;

export function noteCall(call: Omit<OutboundCall, 'endedAt'>, onCall?: OnCall): void {
  const { party, status, durationMs } = call;
  const answer = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
  callSeconds.observe({ party, answer }, durationMs / 1_000);
  onCall?.({ ...call, endedAt: new Date() });
}
