import type { HumanName, Patient } from 'fhir/r4.js';
import { type PatientDetails, preferred, telecomOf } from '../orderable-patient.js';

export { type PatientDetails, readPatient } from '../orderable-patient.js';

export interface PatientContact {
  name: string;
  email?: string;
  phone?: string;
}

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
