import { z } from 'zod';
import { base64Of, maxSignatureBytes } from '../../domain/signature-image.js';
import { isPng } from './png.js';

/** Characters of Base64 that the longest image takes. */
const maxBase64Length = Math.ceil(maxSignatureBytes / 3) * 4;

/** A PNG in Base64, bare or as a data URI, that decodes (D55). */
export const signatureImage = z
  .string()
  .refine(isSignatureImage, 'must be a PNG of at most 512 KiB in Base64')
  .describe('PNG of at most 512 KiB in Base64, bare or as a data URI');

function isSignatureImage(text: string): boolean {
  const base64 = base64Of(text);
  if (base64.length > maxBase64Length) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 && bytes.length <= maxSignatureBytes && isPng(bytes);
}
