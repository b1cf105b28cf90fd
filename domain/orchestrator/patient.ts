import type { HumanName, Patient } from 'fhir/r4.js';
import { type PatientDetails, preferred, telecomOf } from '../orderable-patient.js';

export { type PatientDetails, readPatient } from '../orderable-patient.js';

/** A patient can be told something at these addresses. */
export interface PatientContact {
  name: string;
  email?: string;
  phone?: string;
}

/** Name and addresses, as far as the record has them: enough to tell a patient something. */
export function readContact(resource: Patient): PatientContact {
  const name = preferred<HumanName>(resource.name, 'official');
  const { email, phone } = telecomOf(resource);
  return {
    name: [name?.given?.[0], name?.family].filter(Boolean).join(' '),
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
  };
}

export const contactOf = ({ firstName, lastName, email, phone }: PatientDetails): PatientContact => ({
  name: `${firstName} ${lastName}`,
  ...(email === undefined ? {} : { email }),
  phone,
});
