import { createHmac, timingSafeEqual } from 'node:crypto';

/** Lower-case hex HMAC-SHA256 over `<timestamp>.<body>` (page 1, Authentication 2). */
export const sign = (secret: string, timestamp: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** Constant-time comparison with any text a caller may send; upper-case hex does not match (D3). */
export function signatureMatches(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return timingSafeEqual(a, b.length === a.length ? b : Buffer.alloc(a.length)) && b.length === a.length;
}

/** The three headers of a signed request. `body` is what is sent, or `{}` where nothing is sent (D3). */
export function signedHeaders(
  credentials: { keyId: string; secret: string },
  body: string,
): Record<'x-api-key' | 'x-timestamp' | 'x-signature', string> {
  const timestamp = new Date().toISOString();
  return {
    'x-api-key': credentials.keyId,
    'x-timestamp': timestamp,
    'x-signature': sign(credentials.secret, timestamp, body === '' ? '{}' : body),
  };
}
