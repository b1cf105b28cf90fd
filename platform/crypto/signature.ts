import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from './ids.js';

/** Lower-case hex HMAC-SHA256 over `<timestamp>.<body>` (page 1, Authentication 2). */
export const sign = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** Parts of a request that a version 2 signature covers in addition to the body (D91). */
export interface SignedRequest {
  method: string;
  /** With the query, as sent. */
  path: string;
  timestamp: string;
  nonce: string;
}

/** Lower-case hex HMAC-SHA256 over method, path, time, nonce and the body's SHA-256 (D91). */
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

/** Constant-time comparison; upper-case hex does not match (D3). */
export function signatureMatches(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return timingSafeEqual(a, b.length === a.length ? b : Buffer.alloc(a.length)) && b.length === a.length;
}

let latestMs = 0;

/** The time of a signature, unique in this process: the receiver treats byte-identical requests as one (D91). */
function signedAt(): string {
  const nowMs = Date.now();
  // At most one second ahead of the clock, even after the clock is set back.
  latestMs = latestMs >= nowMs && latestMs < nowMs + 1_000 ? latestMs + 1 : nowMs;
  return new Date(latestMs).toISOString();
}

/** Headers for a receiver that knows the secret without a key id (D26). */
export function timestampedSignature(
  secret: string,
  body: string,
): Record<'x-timestamp' | 'x-signature', string> {
  const timestamp = signedAt();
  return { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, body) };
}

/**
 * Headers of callbacks and events: ours (D26) and those of Standard Webhooks, with the same secret as `whsec_` and Base64.
 * @param id equal for every attempt, so the receiver recognizes repeats
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

/** Headers of a version 1 signature; an empty body is signed as `{}` (D3). */
export const signedHeaders = (
  { keyId, secret }: { keyId: string; secret: string },
  body: string,
): Record<'x-api-key' | 'x-timestamp' | 'x-signature', string> => ({
  'x-api-key': keyId,
  ...timestampedSignature(secret, body === '' ? '{}' : body),
});

/** Headers of a version 2 signature; an empty body is signed as no bytes (D91). */
export function signedHeadersV2(
  { keyId, secret }: { keyId: string; secret: string },
  request: Pick<SignedRequest, 'method' | 'path'>,
  body: string,
): Record<string, string> {
  const timestamp = signedAt();
  const nonce = randomBytes(18).toString('base64url');
  return {
    'x-api-key': keyId,
    'x-signature-version': '2',
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signV2(secret, { ...request, timestamp, nonce }, body),
  };
}
