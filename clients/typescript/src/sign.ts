import { hmacHex, joined, randomText, sha256Hex } from './hmac.js';

/** An API key, as `rx keys create` printed it. */
export interface ApiKey {
  id: string;
  secret: string;
  /** How requests are signed: 2 covers method, path and a nonce too, and is what to use; 1 covers time and body. */
  signatureVersion?: 1 | 2;
}

export interface ToSign {
  method: string;
  /** With the query, as it is sent. */
  path: string;
  /** What is sent; '' where nothing is. */
  body: string;
}

/** The headers of a signed request, valid for five minutes; those of version 2 once. */
export async function signedHeaders(key: ApiKey, request: ToSign): Promise<Record<string, string>> {
  const timestamp = signedAt();
  if (key.signatureVersion === 1) {
    // A request without a body signs {}.
    const message = joined(`${timestamp}.`, request.body === '' ? '{}' : request.body);
    return {
      'x-api-key': key.id,
      'x-timestamp': timestamp,
      'x-signature': await hmacHex(key.secret, message),
    };
  }
  const nonce = randomText(18);
  const lines = ['v2', request.method, request.path, timestamp, nonce, await sha256Hex(request.body)];
  return {
    'x-api-key': key.id,
    'x-signature-version': '2',
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': await hmacHex(key.secret, joined(lines.join('\n'))),
  };
}

let latestMs = 0;

/** No two are the same within one process: a service takes equal requests of version 1 for one. */
function signedAt(): string {
  const nowMs = Date.now();
  // Ahead of the clock by a second at most, also where the clock was set back.
  latestMs = latestMs >= nowMs && latestMs < nowMs + 1_000 ? latestMs + 1 : nowMs;
  return new Date(latestMs).toISOString();
}
