/** Crockford's base 32: the digits and the letters without I, L, O and U. */
export const mrnAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const mrnLength = 10;
/** Numbers that are tried before a create is given up (page 3, Atomic create). */
export const mrnAttempts = 5;

/**
 * A medical record number from random bytes, five bits of each, so that every number is as likely as any other.
 * @param bytes at least {@link mrnLength} of a cryptographically secure source
 */
export function mrnFrom(bytes: Uint8Array): string {
  if (bytes.length < mrnLength) throw new RangeError(`A record number takes ${mrnLength} bytes`);
  return Array.from(bytes.subarray(0, mrnLength), (byte) => mrnAlphabet[byte & 31]).join('');
}

/** Whether a text has the form of a record number, in either case. */
export const isMrn = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{10}$/i.test(text);
