import type { Patient } from 'fhir/r4.js';

export const today = '2026-11-25';
export const consentExtension = 'https://emr.example.test/has-consent';

/** A record that an order can be made from, with what a test changes. */
export const record = (changes: Partial<Patient> = {}): Patient => ({
  resourceType: 'Patient',
  name: [{ use: 'official', family: 'Rivers', given: ['Dana'] }],
  gender: 'female',
  birthDate: '1984-05-06',
  telecom: [
    { system: 'phone', use: 'mobile', value: '2065550143' },
    { system: 'email', value: 'dana@example.test' },
  ],
  address: [{ use: 'home', line: ['12 Elm St'], city: 'Seattle', state: 'WA', postalCode: '98101' }],
  ...changes,
});
