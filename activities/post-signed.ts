import { deliveryHeaders } from '../platform/crypto/signature.js';
import type { GuardedSender } from '../platform/http/guarded.js';
import { OutboundError } from '../platform/http/outbound.js';

/** The limit of D26. */
const timeoutMs = 10_000;

/** One attempt to deliver something to a client. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  at: string;
  durationMs: number;
  /** The receiver's status; null without an answer. */
  status: number | null;
  /** null when the receiver took it. */
  error: string | null;
}

/** Posts JSON to a client, signed as D26. An error of the receiver is a result; only our own faults are thrown. */
export async function postSigned(
  send: GuardedSender,
  delivery: {
    url: string;
    /** The same for every attempt. */
    id: string;
    body: string;
    secret: string;
    headers?: Record<string, string>;
    signal: AbortSignal;
  },
): Promise<DeliveryAttempt> {
  const { url, id, body, secret, headers, signal } = delivery;
  const at = new Date().toISOString();
  const startedMs = performance.now();
  const outcome = await send({
    party: 'The receiver',
    url,
    headers: { ...deliveryHeaders(secret, id, body), 'content-type': 'application/json', ...headers },
    body,
    timeoutMs,
    signal,
  }).then(
    ({ status }) => ({
      status,
      error: status >= 200 && status < 300 ? null : `The receiver answered ${status}`,
    }),
    (error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      return { status: null, error: error.message };
    },
  );
  return { at, durationMs: Math.round(performance.now() - startedMs), ...outcome };
}
