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

/** The digits of a number without its extension, full-width ones read (D149). */
export const phoneDigits = (text: string): string => digitsIn(withoutExtension(text));

/** The ten digits of an American number; undefined for a text that is none (D149). */
export function tenDigitsOf(text: string): string | undefined {
  const number = withoutExtension(text);
  const digits = digitsIn(number);
  // Digits after a plus sign begin with a country code, whatever label stands before it.
  const international = number.includes('+') ? digitsIn(number.slice(number.lastIndexOf('+'))) : '';
  const isWhole = international === '' || international === digits;
  if (isWhole && digits.length === 11 && digits.startsWith('1')) return digits.slice(1);
  return international === '' && digits.length === 10 ? digits : undefined;
}

function withoutExtension(text: string): string {
  const plain = text.normalize('NFKC');
  const firstDigit = plain.search(/\d/);
  const extension = plain.slice(firstDigit).search(/;|,|#|x|ext/i);
  return extension < 0 || firstDigit < 0 ? plain : plain.slice(0, firstDigit + extension);
}

const digitsIn = (text: string): string => text.replace(/\D/g, '');
