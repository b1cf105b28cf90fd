import { emailOf } from './email-address.js';
import type { PatientContact } from './orderable-patient.js';
import { tenDigitsOf } from './phone-number.js';

/** The notification service takes no longer name. */
const maxNameCharacters = 200;

/** A contact as messages are sent to it, and which of its addresses no message can be sent to (D150). */
export interface UsableContact extends PatientContact {
  unusable: ('email' | 'phone')[];
}

/** Judges a patient's contact, so that an unusable address never silences the others. */
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
