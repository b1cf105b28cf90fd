import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from './ids.js';

/** Lower-case hex HMAC-SHA256 over `<timestamp>.<body>` (page 1, Authentication 2). */
export const sign = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** What a signature of version 2 covers beside the body (D91). */
export interface SignedRequest {
  method: string;
  /** With the query, as sent. */
  path: string;
  timestamp: string;
  nonce: string;
}

/** Lower-case hex HMAC-SHA256 over method, path, time, nonce and the body's SHA-256; no body is hashed as no bytes (D91). */
export const signV2 = (
  secret: string,
  { method, path, timestamp, nonce }: SignedRequest,
  body: string | Uint8Array,
): string =>
  createHmac('sha256', secret)
    .update(['v2', method, path, timestamp, nonce, sha256(body)].join('\n'))
    .digest('hex');

/** Lower-case hex HMAC-SHA256 over the body alone, as the EMR signs (D81). */
export const hmacHex = (secret: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Constant-time comparison with any text a caller may send; upper-case hex does not match (D3). */
export function signatureMatches(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return timingSafeEqual(a, b.length === a.length ? b : Buffer.alloc(a.length)) && b.length === a.length;
}

let latestMs = 0;

/**
 * The time of a signature, ISO 8601. No two within one process are the same: the receiver takes requests that are equal
 * byte for byte for one (D91).
 */
function signedAt(): string {
  const nowMs = Date.now();
  // Ahead of the clock by a second at most, also where the clock was set back.
  latestMs = latestMs >= nowMs && latestMs < nowMs + 1_000 ? latestMs + 1 : nowMs;
  return new Date(latestMs).toISOString();
}

/** Both headers of a body that is signed now, for a receiver who knows whose secret it is (D26). */
export function timestampedSignature(
  secret: string,
  body: string,
): Record<'x-timestamp' | 'x-signature', string> {
  const timestamp = signedAt();
  return { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, body) };
}

/**
 * The headers of what is sent to an address of others: ours (D26), and beside them those of Standard Webhooks, whose
 * libraries take the same secret as `whsec_` and its Base64.
 * @param id the same with every attempt, by which the receiver knows a repeat
 */
export function deliveryHeaders(secret: string, id: string, body: string): Record<string, string> {
  const ours = timestampedSignature(secret, body);
  const seconds = String(Math.floor(Date.parse(ours['x-timestamp']) / 1_000));
  const standard = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    ...ours,
    'x-callback-id': id,
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standard}`,
  };
}

/** The three headers of a request signed by version 1. `body` is what is sent, or `{}` where nothing is sent (D3). */
export const signedHeaders = (
  { keyId, secret }: { keyId: string; secret: string },
  body: string,
): Record<'x-api-key' | 'x-timestamp' | 'x-signature', string> => ({
  'x-api-key': keyId,
  ...timestampedSignature(secret, body === '' ? '{}' : body),
});
