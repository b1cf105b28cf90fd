import { expect, test } from '@jest/globals';
import { prescriptionSubmission, submissionQuery } from '../../../api/router/contract.js';
import { newRoute, stateCode } from '../../../api/router/routing-contract.js';
import type { PrescriptionSubmission } from '../../../domain/router/submission.js';
import { rejectedFields } from '../../helpers/contract.js';
import { prescription } from '../../helpers/prescription.js';

test('a prescription is accepted at its limits', () => {
  const plain = prescription();
  const atLimits = {
    ...plain,
    source: 's'.repeat(200),
    sourceOrderId: plain.sourceOrderId.padEnd(200, '字'),
    shipTo: { ...plain.shipTo, zip: '12345' },
    medication: { ...plain.medication, refills: 0, daysSupply: 1, quantity: 0.1 },
  };
  expect(rejectedFields(prescriptionSubmission, atLimits)).toEqual([]);
});

test.each<[string, (plain: PrescriptionSubmission) => unknown]>([
  ['source', (plain) => ({ ...plain, source: '' })],
  ['source', (plain) => ({ ...plain, source: 'x'.repeat(201) })],
  ['sourceOrderId', (plain) => ({ ...plain, sourceOrderId: 'line\nbreak' })],
  ['sourceOrderId', (plain) => ({ ...plain, sourceOrderId: 'x'.repeat(201) })],
  ['sourceOrderId', (plain) => ({ ...plain, sourceOrderId: 7 })],
  ['callbackUrl', (plain) => ({ ...plain, callbackUrl: 'nowhere' })],
  ['callbackUrl', (plain) => ({ ...plain, callbackUrl: 'file:///tmp/x' })],
  ['patient', ({ patient: _patient, ...rest }) => rest],
  ['patient.dob', (plain) => ({ ...plain, patient: { ...plain.patient, dob: '2023-02-29' } })],
  ['patient.gender', (plain) => ({ ...plain, patient: { ...plain.patient, gender: 'other' } })],
  ['patient.phone', (plain) => ({ ...plain, patient: { ...plain.patient, phone: null } })],
  ['shipTo.state', (plain) => ({ ...plain, shipTo: { ...plain.shipTo, state: 'TEX' } })],
  ['shipTo.zip', (plain) => ({ ...plain, shipTo: { ...plain.shipTo, zip: '1234' } })],
  ['prescriber.npi', (plain) => ({ ...plain, prescriber: { ...plain.prescriber, npi: '123' } })],
  [
    'prescriber.address.zip',
    (plain) => ({
      ...plain,
      prescriber: { ...plain.prescriber, address: { line1: '1', city: 'X', state: 'NY' } },
    }),
  ],
  [
    'prescriber.signatureBase64',
    (plain) => ({ ...plain, prescriber: { ...plain.prescriber, signatureBase64: '%%' } }),
  ],
  ['medication.quantity', (plain) => ({ ...plain, medication: { ...plain.medication, quantity: 0 } })],
  ['medication.quantity', (plain) => ({ ...plain, medication: { ...plain.medication, quantity: '2' } })],
  ['medication.daysSupply', (plain) => ({ ...plain, medication: { ...plain.medication, daysSupply: 0 } })],
  ['medication.daysSupply', (plain) => ({ ...plain, medication: { ...plain.medication, daysSupply: -1 } })],
  ['medication.refills', (plain) => ({ ...plain, medication: { ...plain.medication, refills: -1 } })],
  ['routing.patientState', (plain) => ({ ...plain, routing: { patientState: '1A' } })],
  ['routing.preferredPharmacy', (plain) => ({ ...plain, routing: { preferredPharmacy: 'pharmacy_d' } })],
  ['test', (plain) => ({ ...plain, test: 'true' })],
  ['clinical.allergies.known', (plain) => ({ ...plain, clinical: { allergies: { entries: [] } } })],
  ['clinical.billTo', (plain) => ({ ...plain, clinical: { billTo: 'nobody' } })],
])('a prescription is rejected at %s (case %#)', (field, spoil) => {
  expect(new Set(rejectedFields(prescriptionSubmission, spoil(prescription())))).toEqual(new Set([field]));
});

test.each<[string, object]>([
  ['pharmacy', { pharmacy: 'pharmacy_d', priority: 1, isActive: true }],
  ['priority', { pharmacy: 'pharmacy_a', priority: '1', isActive: true }],
  ['priority', { pharmacy: 'pharmacy_a', priority: 1.5, isActive: true }],
  ['priority', { pharmacy: 'pharmacy_a', priority: 3_000_000_000, isActive: true }],
  ['isActive', { pharmacy: 'pharmacy_a', priority: 1 }],
])('a route is rejected at %s (case %#)', (field, body) => {
  expect(rejectedFields(newRoute, body)).toEqual([field]);
});

test.each(['T', 'TEX', '1A'])('%s is rejected as the code of a state', (state) => {
  expect(new Set(rejectedFields(stateCode, { state }))).toEqual(new Set(['state']));
});

test.each([
  ['limit', '0'],
  ['limit', '201'],
  ['limit', 'x'],
  ['status', 'lost'],
  ['pharmacy', 'pharmacy_d'],
])('a list of submissions is rejected at %s: %s', (field, value) => {
  expect(new Set(rejectedFields(submissionQuery, { [field]: value }))).toEqual(new Set([field]));
});
