/** Crockford's base 32. */
export const mrnAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const mrnLength = 10;
/** The numbers that a create tries before it fails (page 3, Atomic create). */
export const mrnAttempts = 5;

/** Uses five bits of each byte, so that all numbers are equally likely. @param bytes at least {@link mrnLength} */
export function mrnFrom(bytes: Uint8Array): string {
  if (bytes.length < mrnLength) throw new RangeError(`A record number takes ${mrnLength} bytes`);
  return Array.from(bytes.subarray(0, mrnLength), (byte) => mrnAlphabet[byte & 31]).join('');
}

export const isMrn = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{10}$/i.test(text);
