import { expect, test } from '@jest/globals';
import { finding, hasExpired, preflightCodes, verdict } from '../../../domain/orchestrator/preflight.js';

test('of each code, the step it is about and whether it blocks (D106)', () => {
  const table = preflightCodes.map((code) => {
    const { step, severity } = finding(code);
    return [code, step, severity];
  });
  expect(table).toEqual([
    ['unknown_medication', 'medication_config', 'blocks'],
    ['patient_not_found', 'patient_details', 'blocks'],
    ['patient_deceased', 'patient_details', 'blocks'],
    ['patient_merged', 'patient_details', 'blocks'],
    ['patient_inactive', 'patient_details', 'blocks'],
    ['patient_incomplete', 'patient_details', 'blocks'],
    ['no_pharmacy_route', 'pharmacy_submission', 'blocks'],
    ['medication_not_at_pharmacy', 'pharmacy_submission', 'blocks'],
    ['no_licensed_prescriber', 'prescriber_resolution', 'warns'],
    ['prescriber_npi_invalid', 'prescriber_resolution', 'warns'],
    ['no_payment_profile', 'payment', 'warns'],
    ['card_expired', 'payment', 'warns'],
    ['no_contact', 'notification', 'warns'],
    ['task_in_use', 'medication_config', 'blocks'],
    ['emr_unavailable', 'patient_details', 'blocks'],
    ['registry_unavailable', 'prescriber_resolution', 'warns'],
  ]);
});

test('findings come in the order of their steps, and one that blocks is enough', () => {
  const warning = finding('no_contact');
  const blocking = finding('patient_incomplete', ['phone', 'address.zip']);
  expect(blocking.message).toBe('The patient record is incomplete: phone, address.zip');
  expect(verdict([warning, blocking])).toEqual({ ready: false, findings: [blocking, warning] });
  expect(verdict([warning])).toEqual({ ready: true, findings: [warning] });
});

test('a card is good to the end of its last month', () => {
  const expiry = { year: 2031, month: 12 };
  expect(hasExpired(expiry, new Date('2031-12-31T23:59:59Z'))).toBe(false);
  expect(hasExpired(expiry, new Date('2032-01-01T00:00:00Z'))).toBe(true);
});
