/** The longest there is, generously separated. */
export const maxPhoneNumberLength = 40;

/**
 * A phone number as people write it: 7 to 15 digits with the usual separators. Whether it can be dialled is the
 * provider's to say, so that a notification is not lost over its second address.
 */
export const isPhoneNumber = (text: string): boolean => {
  if (text.length > maxPhoneNumberLength) return false;
  const digits = text.replace(/\D/g, '');
  return /^ *(?:\+ *)?[\d().\/-][\d ().\/-]*$/.test(text) && digits.length >= 7 && digits.length <= 15;
};

/** E.164 where the number allows it: with its country code as written, or an American one. Otherwise its digits. */
export function toDialable(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (text.trim().startsWith('+')) return `+${digits}`;
  if (digits.length === 10) return `+1${digits}`;
  return digits.length === 11 && digits.startsWith('1') ? `+${digits}` : digits;
}
