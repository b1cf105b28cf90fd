import type { Patient } from 'fhir/r4.js';

/** A create says this of the person (D75). It goes to the EMR and is kept nowhere here. */
export interface Demographics {
  firstName: string;
  lastName: string;
  /** `YYYY-MM-DD` */
  dob: string;
  gender: 'male' | 'female' | 'other' | 'unknown';
  phone: string;
  address: { line1: string; line2?: string | undefined; city: string; state: string; zip: string };
}

/**
 * The person as the EMR takes them (page 2, EMR patient mapping), under the record number.
 * @param mrn under the fixed system URI
 */
export function fhirPatientOf(
  demographics: Demographics,
  email: string,
  mrn: { system: string; value: string },
): Patient {
  const { firstName, lastName, dob, gender, phone, address } = demographics;
  const { line1, line2, city, state, zip } = address;
  return {
    resourceType: 'Patient',
    active: true,
    identifier: [mrn],
    name: [{ use: 'official', given: [firstName], family: lastName }],
    birthDate: dob,
    gender,
    telecom: [
      { system: 'phone', use: 'mobile', value: phone.replace(/\D/g, '') },
      { system: 'email', value: email },
    ],
    address: [{ use: 'home', line: line2 ? [line1, line2] : [line1], city, state, postalCode: zip }],
  };
}
