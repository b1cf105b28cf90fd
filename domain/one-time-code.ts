/** Removes blanks and dashes from a typed or pasted code, and converts full-width digits (D157). */
export const typedCode = (text: string): string => text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}]/gu, '');
