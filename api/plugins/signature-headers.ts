import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sign, signatureMatches } from '../../platform/crypto/signature.js';
import { unauthorized } from '../http-errors.js';

const timestampWindowMs = 5 * 60 * 1000;
export const missingHeaders = 'Missing authentication headers';
export const wrongSignature = 'Invalid signature';

export interface Signed {
  timestamp: string;
  signature: string;
}

/** The signature headers of a request. @throws HttpError 401 if they are missing or older than five minutes */
export function signatureOf(headers: FastifyRequest['headers']): Signed {
  const { 'x-timestamp': timestamp, 'x-signature': signature } = headers;
  if (typeof timestamp !== 'string' || typeof signature !== 'string') throw unauthorized(missingHeaders);
  checkTimestamp(timestamp);
  return { timestamp, signature };
}

/**
 * A version 1 signature may be repeated for the same method, path, query and idempotency key (D158). A reading
 * signature opens any reading, since clients read several records in one millisecond, and nothing else.
 */
export function repeatableAs({ method, raw, headers }: FastifyRequest): string {
  const { 'idempotency-key': idempotencyKey = null } = headers;
  const request = method === 'GET' || method === 'HEAD' ? ['GET'] : [method, raw.url, idempotencyKey];
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}

/** Verifies a version 1 signature; an empty body counts as `{}` (D3). */
export const isSignedWith = (secret: string, { timestamp, signature }: Signed, raw: Buffer): boolean =>
  signatureMatches(sign(secret, timestamp, raw.length > 0 ? raw : '{}'), signature);

/** The nonce of a version 2 signature; undefined for version 1 (D91). @throws HttpError 401 */
export function nonceOf(headers: FastifyRequest['headers']): string | undefined {
  const { 'x-signature-version': version = '1', 'x-nonce': nonce } = headers;
  if (version === '1') return undefined;
  if (version !== '2') throw unauthorized(wrongSignature);
  if (typeof nonce !== 'string') throw unauthorized(missingHeaders);
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce)) throw unauthorized('Invalid nonce');
  return nonce;
}

/** When a request becomes too old. @param timestamp already validated */
export const expiryOf = (timestamp: string): Date => new Date(Date.parse(timestamp) + timestampWindowMs);

const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/;

/** @throws HttpError 401 unless it is ISO 8601 with a zone, at most five minutes off */
function checkTimestamp(timestamp: string): void {
  const at = withZone.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(at)) throw unauthorized('Invalid timestamp');
  if (Math.abs(Date.now() - at) > timestampWindowMs) throw unauthorized('Timestamp expired');
}
