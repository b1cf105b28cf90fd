import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const CLOCK_WINDOW_MS = 5 * 60_000;

/**
 * Verifies a call's `X-Signature`: lower-case hex HMAC-SHA256 of `<X-Timestamp>.<raw body>`, within five minutes.
 * @param signedBody of a call without a body
 * @returns the error, if any
 */
export function signatureFault(
  request: FastifyRequest,
  secret: string,
  signedBody = request.exchange.rawBody,
): string | undefined {
  const { 'x-timestamp': timestamp, 'x-signature': given } = request.headers;
  if (typeof timestamp !== 'string' || !(Math.abs(Date.now() - Date.parse(timestamp)) <= CLOCK_WINDOW_MS))
    return 'Invalid timestamp';
  const signature = createHmac('sha256', secret).update(`${timestamp}.${signedBody}`).digest('hex');
  return given === signature ? undefined : 'Invalid signature';
}
