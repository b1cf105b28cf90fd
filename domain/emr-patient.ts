import type { Patient } from 'fhir/r4.js';
import type { CalendarDay } from './calendar.js';

export interface Person {
  firstName: string;
  lastName: string;
  /** `YYYY-MM-DD` */
  birthDate?: CalendarDay | undefined;
  gender: 'male' | 'female' | 'other' | 'unknown';
  phone: string;
  email: string;
  address: { line1: string; line2?: string | undefined; city: string; state: string; zip: string };
}

/** A person as a FHIR Patient (page 2, EMR patient mapping). */
export function personAsPatient({ firstName, lastName, birthDate, gender, ...reached }: Person): Patient {
  const { phone, email, address } = reached;
  const { line1, line2, city, state, zip } = address;
  const digits = phone.replace(/\D/g, '');
  return {
    resourceType: 'Patient',
    name: [{ use: 'official', given: [firstName], family: lastName }],
    ...(birthDate === undefined ? {} : { birthDate }),
    gender,
    telecom: [
      // FHIR forbids empty values, so a phone without a digit has no `value`.
      { system: 'phone', use: 'mobile', ...(digits === '' ? {} : { value: digits }) },
      { system: 'email', value: email },
    ],
    address: [{ use: 'home', line: line2 ? [line1, line2] : [line1], city, state, postalCode: zip }],
  };
}
