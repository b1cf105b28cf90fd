import { expect, test } from '@jest/globals';
import { failureTypes } from '../../../domain/failures.js';
import { approvalErrorCode, isUnplaced, refillReason } from '../../../domain/orchestrator/approval-errors.js';

const { notFound, incomplete, unavailable, ownOutage, rejected } = failureTypes;

test.each([
  ['unknown_medication', 'medication_config', 'Unknown medication: nothing', notFound],
  ['patient_not_found', 'patient_details', 'Patient not found in EMR: p-1', notFound],
  ['patient_incomplete', 'patient_details', 'Patient record is incomplete: phone', incomplete],
  ['patient_inactive', 'patient_details', 'Patient is inactive in EMR: p-1', incomplete],
  ['patient_deceased', 'patient_details', 'Patient is deceased in EMR: p-1', incomplete],
  ['patient_merged', 'patient_details', 'Patient was merged in EMR: p-1', incomplete],
  ['emr_unavailable', 'patient_details', 'EMR answered 503', unavailable],
  ['emr_unavailable', 'patient_details', 'EMR answered 401', rejected],
  ['internal', 'prescriber_resolution', 'Internal failure', undefined],
  ['no_pharmacy_route', 'pharmacy_submission', 'No pharmacy route configured for state: CA', rejected],
  ['medication_not_at_pharmacy', 'pharmacy_submission', 'Unknown SKU', rejected],
  [
    'medication_not_at_pharmacy',
    'pharmacy_submission',
    'pharmacy_b has no catalog id for this medication',
    rejected,
  ],
  [
    'medication_not_at_pharmacy',
    'pharmacy_submission',
    'No article of pharmacy_a for this strength',
    rejected,
  ],
  ['order_rejected', 'pharmacy_submission', 'pharmacy_a answered 503', rejected],
  ['internal', 'pharmacy_submission', 'Router did not answer', unavailable],
  ['internal', 'pharmacy_submission', 'Router did not answer', ownOutage],
  ['cancelled', 'patient_details', 'Cancelled by an operator', undefined],
] as const)('The code is %s if step %s fails with "%s" (%s)', (code, step, reason, type) => {
  expect(approvalErrorCode({ step, reason, type }, false)).toBe(code);
});

test('An order that may exist is order_unknown', () => {
  const failure = { step: 'pharmacy_submission', reason: 'No answer in time', type: rejected } as const;
  expect(approvalErrorCode(failure, true)).toBe('order_unknown');
});

test.each([
  ['patient_details', 'patient_deceased', 'patient_deceased'],
  ['patient_details', 'patient_merged', 'patient_merged'],
  ['patient_details', 'patient_inactive', 'patient_inactive'],
  ['patient_details', 'patient_not_found', 'patient_details'],
  ['patient_details', 'emr_unavailable', 'patient_details'],
  ['pharmacy_submission', 'no_pharmacy_route', 'pharmacy_submission'],
] as const)('A refill that fails at %s with %s has the reason %s', (step, code, reason) => {
  expect(refillReason(step, code)).toBe(reason);
});

test.each([
  ['No pharmacy route configured for state: CA', true],
  ['No article of pharmacy_a for this strength', true],
  ['pharmacy_a answered 503', false],
  [null, false],
])('After "%s" the router has no order: %s', (error, expected) => {
  expect(isUnplaced(error)).toBe(expected);
});
