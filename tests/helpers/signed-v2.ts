import { randomBytes } from 'node:crypto';
import { type SignedRequest, signV2 } from '../../platform/crypto/signature.js';

/** The headers of a request signed by version 2 (D91). `body` is what is sent; nothing is signed as nothing. */
export function signedHeadersV2(
  { keyId, secret }: { keyId: string; secret: string },
  request: Pick<SignedRequest, 'method' | 'path'>,
  body: string,
): Record<string, string> {
  const timestamp = new Date().toISOString();
  const nonce = randomBytes(18).toString('base64url');
  return {
    'x-api-key': keyId,
    'x-signature-version': '2',
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signV2(secret, { ...request, timestamp, nonce }, body),
  };
}
