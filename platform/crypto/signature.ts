import { createHmac, timingSafeEqual } from 'node:crypto';

/** Lower-case hex HMAC-SHA256 over `<timestamp>.<body>` (page 1, Authentication 2). */
export const sign = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** Lower-case hex HMAC-SHA256 over the body alone, as the EMR signs (D81). */
export const hmacHex = (secret: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** Constant-time comparison with any text a caller may send; upper-case hex does not match (D3). */
export function signatureMatches(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return timingSafeEqual(a, b.length === a.length ? b : Buffer.alloc(a.length)) && b.length === a.length;
}

/** Both headers of a body that is signed now, for a receiver who knows whose secret it is (D26). */
export function timestampedSignature(
  secret: string,
  body: string,
): Record<'x-timestamp' | 'x-signature', string> {
  const timestamp = new Date().toISOString();
  return { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, body) };
}

/** The three headers of a signed request. `body` is what is sent, or `{}` where nothing is sent (D3). */
export const signedHeaders = (
  { keyId, secret }: { keyId: string; secret: string },
  body: string,
): Record<'x-api-key' | 'x-timestamp' | 'x-signature', string> => ({
  'x-api-key': keyId,
  ...timestampedSignature(secret, body === '' ? '{}' : body),
});
