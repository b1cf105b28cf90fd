import { emailOf } from './email-address.js';
import type { PatientContact } from './orderable-patient.js';
import { tenDigitsOf } from './phone-number.js';

/** Longest name that the notification service accepts. */
const maxNameCharacters = 200;

/** The addresses that messages go to, and those that no message can reach (D150). */
export interface UsableContact extends PatientContact {
  unusable: ('email' | 'phone')[];
}

/** Splits a patient's addresses into usable and unusable ones, so that an unusable one never blocks the others. */
export function usableContact({ name, email, phone }: PatientContact): UsableContact {
  const address = email === undefined ? undefined : emailOf(email);
  const number = phone === undefined ? undefined : tenDigitsOf(phone);
  return {
    name: name.slice(0, maxNameCharacters).replace(/\p{Surrogate}$/u, ''),
    ...(address === undefined ? {} : { email: address }),
    ...(number === undefined ? {} : { phone: number }),
    unusable: [
      ...(email !== undefined && address === undefined ? (['email'] as const) : []),
      ...(phone !== undefined && number === undefined ? (['phone'] as const) : []),
    ],
  };
}
