declare const location: { href: string };

interface PageRequest {
  url: string;
  method?: string;
  body?: unknown;
  headers: Record<string, string>;
}

/**
 * Signs requests of the documentation page in development with signature version 2. The value entered as `X-Signature` is
 * the secret and never leaves the browser. The page receives the source text of this function, so it must not reference
 * anything outside itself.
 */
export async function signInBrowser(request: PageRequest): Promise<PageRequest> {
  const { headers } = request;
  const secret = headers['X-Signature'];
  if (secret === undefined || headers['X-API-Key'] === undefined) return request;
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hex = (buffer: ArrayBuffer) =>
    Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const body = typeof request.body === 'string' ? request.body : '';
  const { pathname, search } = new URL(request.url, location.href);
  const timestamp = new Date().toISOString();
  const nonce = crypto.randomUUID();
  const hash = hex(await crypto.subtle.digest('SHA-256', bytes(body)));
  const method = (request.method ?? 'GET').toUpperCase();
  const signed = ['v2', method, pathname + search, timestamp, nonce, hash].join('\n');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  headers['X-Signature-Version'] = '2';
  headers['X-Timestamp'] = timestamp;
  headers['X-Nonce'] = nonce;
  headers['X-Signature'] = hex(await crypto.subtle.sign('HMAC', key, bytes(signed)));
  return request;
}
