/** Fifteen digits with generous separators. */
export const maxPhoneNumberLength = 40;

/**
 * A phone number as people write it: 7 to 15 digits with the usual separators. The provider decides if it can be
 * dialed, so that an odd phone number does not stop the e-mail of the same notification.
 */
export const isPhoneNumber = (text: string): boolean => {
  if (text.length > maxPhoneNumberLength) return false;
  const digits = text.replace(/\D/g, '');
  return /^ *(?:\+ *)?[\d().\/-][\d ().\/-]*$/.test(text) && digits.length >= 7 && digits.length <= 15;
};

/** E.164 if the number has a country code or is American, otherwise its digits. */
export function toDialable(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (text.trim().startsWith('+')) return `+${digits}`;
  if (digits.length === 10) return `+1${digits}`;
  return digits.length === 11 && digits.startsWith('1') ? `+${digits}` : digits;
}
