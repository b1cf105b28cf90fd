import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { backfill, emailLookup, newPatient } from '../../../api/patients/contract.js';
import { rejectedFields } from '../../helpers/contract.js';

const valid = {
  organizationId: randomUUID(),
  contactEmail: 'ada@patients.test',
  demographics: {
    firstName: 'Ada',
    lastName: 'Test',
    dob: '1984-03-12',
    gender: 'female',
    phone: '(202) 555-0101',
    address: { line1: '18 Larch Lane', line2: '', city: 'Sampleton', state: 'NY', zip: '13202' },
  },
  intake: { intakeType: 'glp-1', submittedAt: '2026-11-01T09:30:00.000Z', payload: { goal: 'weight' } },
};

test('a patient, identifiers and a look-up are accepted, with ids in upper case too', () => {
  expect(rejectedFields(newPatient, valid)).toEqual([]);
  expect(rejectedFields(backfill, { legacy_mrn: 'old-1', emr_patient_id: 'p-1' })).toEqual([]);
  const organizationId = randomUUID().toUpperCase();
  expect(rejectedFields(emailLookup, { organizationId, email: 'a@example.test' })).toEqual([]);
});

test.each<[string, object]>([
  ['organizationId', { organizationId: 'x' }],
  ['contactEmail', { contactEmail: 'no address' }],
  ['demographics', { demographics: undefined }],
  ['intake.payload', { intake: { ...valid.intake, payload: 'text' } }],
  ['intake.submittedAt', { intake: { ...valid.intake, submittedAt: '0000-01-01T00:00:00Z' } }],
  ['identifiers.legacy_mrn', { identifiers: { legacy_mrn: '' } }],
])('a patient is rejected at %s', (field, change) => {
  expect(rejectedFields(newPatient, { ...valid, ...change })).toEqual([field]);
});

test.each<[string, unknown]>([
  ['dob', '1984-02-30'],
  ['dob', '03-12-1984'],
  ['gender', 'x'],
  ['phone', '12345'],
  ['firstName', ''],
  ['address', { line1: 'x', city: 'y', state: 'New York', zip: '13202' }],
])('a patient is rejected at demographics.%s: %j', (field, value) => {
  const demographics = { ...valid.demographics, [field]: value };
  expect(rejectedFields(newPatient, { ...valid, demographics })[0]).toMatch(`demographics.${field}`);
});

test.each([
  { mrn: '0123456789' },
  { organization_id: randomUUID() },
  { created_at: '2026-01-01T00:00:00.000Z' },
  { archived_at: null },
  { surprise: 1 },
  { payment_customer_id: null },
  { payment_customer_id: 7 },
  { email_lower: 'no address' },
  { emr_patient_id: 'not/an id' },
  [],
])('identifiers are rejected: %j', (wrong) => {
  expect(rejectedFields(backfill, wrong)).not.toEqual([]);
});

test.each([{}, { organizationId: 'x', email: 'a@example.test' }, { email: 'no address' }])(
  'a look-up is rejected: %j',
  (wrong) => {
    expect(rejectedFields(emailLookup, wrong)).not.toEqual([]);
  },
);
