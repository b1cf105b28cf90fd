/** True for ten digits whose last one is the Luhn digit of 80840 and the others (National Provider Identifier). */
export function isNpi(npi: string): boolean {
  if (!/^\d{10}$/.test(npi)) return false;
  const digits = Array.from(`80840${npi}`, Number).reverse();
  const sum = digits.reduce((sum, digit, index) => {
    const value = index % 2 === 0 ? digit : 2 * digit;
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** True for two characters and seven digits whose last one checks the others. An institution's number has a suffix. */
export function isDea(deaNumber: string): boolean {
  const [, checked = '', check] = /^[A-Z][A-Z9](\d{6})(\d)(?:-\w{1,20})?$/i.exec(deaNumber.trim()) ?? [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(checked, Number);
  return check !== undefined && (a + c + e + 2 * (b + d + f)) % 10 === Number(check);
}

export const checkDigitWarnings = ['npi_check_digit', 'dea_check_digit'] as const;

/** Warns of numbers that are probably mistyped; the registry accepts them (D151). */
export const warningsOf = (physician: {
  npi: string;
  deaNumber?: string | null | undefined;
}): (typeof checkDigitWarnings)[number][] => [
  ...(isNpi(physician.npi) ? [] : (['npi_check_digit'] as const)),
  ...(!physician.deaNumber || isDea(physician.deaNumber) ? [] : (['dea_check_digit'] as const)),
];
