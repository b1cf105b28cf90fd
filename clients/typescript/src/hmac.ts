const bytesOf = (text: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text);

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const keyOf = (secret: string, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [use]);

/** Concatenates texts and bytes. */
export function joined(...parts: (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const all = parts.map(bytesOf);
  const whole = new Uint8Array(all.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Lower-case hex HMAC-SHA256. */
export const hmacHex = async (secret: string, message: Uint8Array<ArrayBuffer>): Promise<string> =>
  hexOf(await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), message));

/** Verifies a signature in constant time. */
export const hmacMatches = async (
  secret: string,
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> => crypto.subtle.verify('HMAC', await keyOf(secret, 'verify'), signature, message);

/** Lower-case hex SHA-256. */
export const sha256Hex = async (message: string | Uint8Array): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', bytesOf(message)));

/** The bytes of a hex text; undefined if it is not hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** The bytes of a Base64 text; undefined if it is not Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Random bytes as Base64url. */
export const randomText = (bytes: number): string =>
  toBase64(crypto.getRandomValues(new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
