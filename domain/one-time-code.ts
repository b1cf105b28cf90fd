/** A one-time code as it was mailed, out of what a person typed or pasted: blanks, dashes and full-width digits (D157). */
export const typedCode = (text: string): string => text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}]/gu, '');
