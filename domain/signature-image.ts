/** Longest signature image, decoded (D55). */
export const maxSignatureBytes = 512 * 1024;

export const dataUriPrefix = 'data:image/png;base64,';

export const base64Of = (signatureImage: string): string =>
  signatureImage.slice(0, dataUriPrefix.length).toLowerCase() === dataUriPrefix
    ? signatureImage.slice(dataUriPrefix.length)
    : signatureImage;
