import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fhirPatientOf } from '../../../domain/patients/demographics.js';
import {
  judgeBackfill,
  lookupStatusOf,
  type PatientRow,
  writeOnceIdentifiers,
} from '../../../domain/patients/patient-directory.js';

const row = (fields: Partial<PatientRow> = {}): PatientRow => ({
  id: '00000000-0000-4000-8000-000000000001',
  mrn: '0123456789',
  organization_id: '00000000-0000-4000-8000-000000000002',
  emr_patient_id: 'emr-1',
  payment_customer_id: null,
  identity_provider_id: null,
  legacy_mrn: null,
  email_lower: 'ada@example.test',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  archived_at: null,
  ...fields,
});

describe('a change of identifiers', () => {
  test.each(writeOnceIdentifiers)('fills %s once, takes the same value, and refuses another', (field) => {
    expect(judgeBackfill(row({ [field]: null }), { [field]: 'a' })).toMatchObject({
      changes: { [field]: 'a' },
    });
    expect(judgeBackfill(row({ [field]: 'a' }), { [field]: 'a' })).toEqual({ changes: {}, diff: {} });
    expect(judgeBackfill(row({ [field]: 'a' }), { [field]: 'b' })).toEqual({ refused: 'immutable', field });
  });

  test('tells of the three that others listen for, and of no e-mail or legacy number', () => {
    const wanted = {
      payment_customer_id: 'cus_1',
      identity_provider_id: 'idp_1',
      legacy_mrn: 'old-1',
      email_lower: 'new@example.test',
    };
    expect(judgeBackfill(row(), wanted)).toEqual({
      changes: wanted,
      diff: {
        payment_customer_id: { from: null, to: 'cus_1' },
        identity_provider_id: { from: null, to: 'idp_1' },
      },
    });
  });

  test('is refused as a whole when one value is, and for an archived patient whatever it is', () => {
    const filled = row({ legacy_mrn: 'old-1' });
    expect(judgeBackfill(filled, { payment_customer_id: 'cus_1', legacy_mrn: 'old-2' })).toMatchObject({
      refused: 'immutable',
    });
    const archived = row({ archived_at: '2026-01-02T00:00:00.000Z' });
    expect(judgeBackfill(archived, { email_lower: 'ada@example.test' })).toEqual({ refused: 'archived' });
  });

  test('never overwrites a value, and applied twice changes nothing the second time', () => {
    const value = fc.option(fc.constantFrom('a', 'b'), { nil: null });
    const identifiers = fc.record(Object.fromEntries(writeOnceIdentifiers.map((field) => [field, value])));
    const wanted = fc.dictionary(fc.constantFrom(...writeOnceIdentifiers), fc.constantFrom('a', 'b'));
    fc.assert(
      fc.property(identifiers, wanted, (held, change) => {
        const before = row(held);
        const verdict = judgeBackfill(before, change);
        if ('refused' in verdict) return;
        const after = { ...before, ...verdict.changes } as PatientRow;
        for (const field of writeOnceIdentifiers)
          if (before[field] !== null) expect(after[field]).toBe(before[field]);
        expect(judgeBackfill(after, change)).toEqual({ changes: {}, diff: {} });
      }),
    );
  });
});

test.each([
  [undefined, 'not_found'],
  [{ inYourOrg: true, isArchived: false, hasIdentityProvider: false }, 'active'],
  [{ inYourOrg: true, isArchived: false, hasIdentityProvider: true }, 'sign_in'],
  [{ inYourOrg: true, isArchived: true, hasIdentityProvider: true }, 'archived'],
  [{ inYourOrg: false, isArchived: false, hasIdentityProvider: true }, 'other_org'],
  [{ inYourOrg: false, isArchived: true, hasIdentityProvider: false }, 'other_org'],
] as const)('the status of %j is %s', (match, status) => expect(lookupStatusOf(match)).toBe(status));

const demographics = {
  firstName: 'Ada',
  lastName: 'Test',
  dob: '1984-03-12',
  gender: 'other',
  phone: '+1 (202) 555-0101',
  address: { line1: '18 Larch Lane', line2: 'Flat 3', city: 'Sampleton', state: 'NY', zip: '13202' },
} as const;
const mrn = { system: 'https://scriptrail.test/mrn', value: '0123456789' };

test('a person becomes a FHIR patient under the record number', () => {
  expect(fhirPatientOf(demographics, 'ada@example.test', mrn)).toEqual({
    resourceType: 'Patient',
    active: true,
    identifier: [mrn],
    name: [{ use: 'official', given: ['Ada'], family: 'Test' }],
    birthDate: '1984-03-12',
    gender: 'other',
    telecom: [
      { system: 'phone', use: 'mobile', value: '12025550101' },
      { system: 'email', value: 'ada@example.test' },
    ],
    address: [
      { use: 'home', line: ['18 Larch Lane', 'Flat 3'], city: 'Sampleton', state: 'NY', postalCode: '13202' },
    ],
  });
});

test('a foreign phone number does not become an American one in the EMR', () => {
  const phone = '+65 9234 5678';
  expect(fhirPatientOf({ ...demographics, phone }, 'ada@example.test', mrn).telecom?.[0]?.value).toBe(phone);
});
