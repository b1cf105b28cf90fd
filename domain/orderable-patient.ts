import type { Address, ContactPoint, HumanName, Patient } from 'fhir/r4.js';

/** The fields of a patient that an order needs (page 1, Pipeline steps, step 2). */
export interface PatientDetails {
  firstName: string;
  lastName: string;
  /** `YYYY-MM-DD` */
  dob: string;
  gender: 'male' | 'female';
  phone: string;
  email?: string;
  address: { line1: string; line2?: string; city: string; state: string; zip: string };
}

/** The details, or the names of the required fields that the record lacks. */
export type PatientReading = { patient: PatientDetails } | { missing: string[]; state: string | undefined };

/** Reads a FHIR Patient. The official name, the home address and the mobile number come before others. */
export function readPatient(resource: Patient): PatientReading {
  const name = preferred<HumanName>(resource.name, 'official');
  const address = preferred<Address>(resource.address, 'home');
  const { email, phone } = telecomOf(resource);
  const state = address?.state?.trim().toUpperCase();
  const { gender } = resource;

  const fields = {
    firstName: name?.given?.[0],
    lastName: name?.family,
    dob: /^\d{4}-\d{2}-\d{2}$/.test(resource.birthDate ?? '') ? resource.birthDate : undefined,
    gender: gender === 'male' || gender === 'female' ? gender : undefined,
    phone,
    'address.line1': address?.line?.[0],
    'address.city': address?.city,
    'address.state': state && /^[A-Z]{2}$/.test(state) ? state : undefined,
    'address.zip': (address?.postalCode?.length ?? 0) >= 5 ? address?.postalCode : undefined,
  };
  const missing = Object.entries(fields).flatMap(([field, value]) => (value ? [] : [field]));
  if (missing.length > 0) return { missing, state: fields['address.state'] };

  const line2 = address?.line?.[1];
  return {
    patient: {
      firstName: fields.firstName ?? '',
      lastName: fields.lastName ?? '',
      dob: fields.dob ?? '',
      gender: fields.gender ?? 'male',
      phone: fields.phone ?? '',
      ...(email === undefined ? {} : { email }),
      address: {
        line1: fields['address.line1'] ?? '',
        ...(line2 ? { line2 } : {}),
        city: fields['address.city'] ?? '',
        state: fields['address.state'] ?? '',
        zip: fields['address.zip'] ?? '',
      },
    },
  };
}

export const preferred = <T extends { use?: string | undefined }>(
  entries: readonly T[] | undefined,
  use: string,
): T | undefined => entries?.find((entry) => entry.use === use) ?? entries?.[0];

export function telecomOf({ telecom }: Patient): { email?: string | undefined; phone?: string | undefined } {
  const phones = telecom?.filter(({ system }) => system === 'phone');
  return {
    phone: preferred<ContactPoint>(phones, 'mobile')?.value,
    email: telecom?.find(({ system, value }) => system === 'email' && Boolean(value))?.value,
  };
}
