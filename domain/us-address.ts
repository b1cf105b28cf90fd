/** True for five digits, or nine with or without the hyphen (D152). */
export const isUsZip = (text: string): boolean => /^\d{5}(?:[- ]?\d{4})?$/.test(text.trim());

/** True for `US`, `USA`, `U.S.A.`, `United States of America`, in any case. */
export function isUnitedStates(country: string): boolean {
  const letters = country.toLowerCase().replace(/[\s.]/g, '');
  return letters === 'us' || letters === 'usa' || letters.startsWith('unitedstates');
}
