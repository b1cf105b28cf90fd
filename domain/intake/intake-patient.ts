import type { Patient } from 'fhir/r4.js';
import { birthDateOf, type Intake } from './intake.js';

/** The intake as the EMR takes it, field by field (page 2, EMR patient mapping). */
export function toFhirPatient(intake: Intake): Patient {
  const { firstName, lastName, dob, gender, email, phone, address } = intake;
  const digits = phone.replace(/\D/g, '');
  const birthDate = birthDateOf(dob);
  return {
    resourceType: 'Patient',
    name: [{ use: 'official', given: [firstName], family: lastName }],
    ...(birthDate === undefined ? {} : { birthDate }),
    gender: gender ?? 'unknown',
    telecom: [
      // FHIR has no empty values: a phone without a digit is a phone without a number.
      { system: 'phone', use: 'mobile', ...(digits === '' ? {} : { value: digits }) },
      { system: 'email', value: email },
    ],
    address: [
      {
        use: 'home',
        line: [address.line1, ...(address.line2 ? [address.line2] : [])],
        city: address.city,
        state: address.state,
        postalCode: address.zip,
      },
    ],
  };
}

/** Whether a patient can be reached under the address, in whatever case it is written (D61). */
export const hasEmail = (
  { telecom }: { telecom?: { system?: string | undefined; value?: string | undefined }[] | undefined },
  email: string,
): boolean =>
  telecom?.some(({ system, value }) => system === 'email' && value?.toLowerCase() === email.toLowerCase()) ===
  true;
