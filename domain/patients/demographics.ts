import type { Patient } from 'fhir/r4.js';
import { personAsPatient } from '../emr-patient.js';

/** The person's data in a create (D75). It goes to the EMR and is not stored here. */
export interface Demographics {
  firstName: string;
  lastName: string;
  /** `YYYY-MM-DD` */
  dob: string;
  gender: 'male' | 'female' | 'other' | 'unknown';
  phone: string;
  address: { line1: string; line2?: string | undefined; city: string; state: string; zip: string };
}

export const fhirPatientOf = (
  { dob, ...person }: Demographics,
  email: string,
  mrn: { system: string; value: string },
): Patient => ({
  ...personAsPatient({ ...person, birthDate: dob, email }),
  active: true,
  identifier: [mrn],
});
