import type { Patient } from 'fhir/r4.js';
import type { CalendarDay } from './calendar.js';
import { phoneDigits, tenDigitsOf } from './phone-number.js';

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

/** A person as a FHIR Patient (page 2, EMR patient mapping), without white space around texts (D149). */
export function personAsPatient({ firstName, lastName, birthDate, gender, ...reached }: Person): Patient {
  const { phone, email, address } = reached;
  const { line1, line2, city, state, zip } = address;
  const digits = phoneDigits(phone);
  // The digits of a foreign number can read as an American one: a stranger would get the texts.
  const value = tenDigitsOf(digits) === tenDigitsOf(phone) ? digits : phone.trim();
  const lines = [line1, line2 ?? ''].map((line) => line.trim()).filter(Boolean);
  return {
    resourceType: 'Patient',
    name: [{ use: 'official', given: [firstName.trim()], family: lastName.trim() }],
    ...(birthDate === undefined ? {} : { birthDate }),
    gender,
    telecom: [
      // FHIR forbids empty values, so a phone without a digit has no `value`.
      { system: 'phone', use: 'mobile', ...(digits === '' ? {} : { value }) },
      { system: 'email', value: email.trim() },
    ],
    address: [{ use: 'home', line: lines, city: city.trim(), state: state.trim(), postalCode: zip.trim() }],
  };
}
