import type { Patient } from 'fhir/r4.js';
import { emailKey } from '../email-address.js';
import { personAsPatient } from '../emr-patient.js';
import { entriesOf, textOf } from '../patient-entries.js';
import { birthDateOf, type Intake } from './intake.js';

export const toFhirPatient = ({ dob, gender, ...person }: Intake): Patient =>
  personAsPatient({ ...person, gender: gender ?? 'unknown', birthDate: birthDateOf(dob) });

/** Compares the e-mail address without case (D61). */
export const hasEmail = ({ telecom }: Pick<Patient, 'telecom'>, email: string): boolean =>
  entriesOf(telecom).some(
    ({ system, value }) => system === 'email' && emailKey(textOf(value) ?? '') === emailKey(email),
  );
