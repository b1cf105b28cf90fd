/** Longest signature image, decoded (D55). */
export const maxSignatureBytes = 512 * 1024;

/** The Base64 of a signature image, which a physician may have handed in as a data URI. */
export const base64Of = (signatureImage: string): string =>
  signatureImage.replace(/^data:image\/png;base64,/i, '');
