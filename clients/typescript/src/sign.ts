import { hmacHex, joined, randomText, sha256Hex } from './hmac.js';

/** An API key, as `rx keys create` printed it. */
export interface ApiKey {
  id: string;
  secret: string;
  /** The signature version. Use 2, which also covers method, path and a nonce; 1 covers time and body. */
  signatureVersion?: 1 | 2;
}

export interface ToSign {
  method: string;
  /** The path with the query. */
  path: string;
  /** The exact body; '' for none. */
  body: string;
}

/** The headers of a signed request. They are valid for five minutes, and once only in version 2. */
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

/** Timestamps are unique within a process, because version 1 treats equal requests as one. */
function signedAt(): string {
  const nowMs = Date.now();
  // At most a second ahead of the clock, also after the clock was set back.
  latestMs = latestMs >= nowMs && latestMs < nowMs + 1_000 ? latestMs + 1 : nowMs;
  return new Date(latestMs).toISOString();
}
