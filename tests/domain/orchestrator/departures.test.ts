import { expect, test } from '@jest/globals';
import { departureReasons, graverOf, lesserThan } from '../../../domain/orchestrator/departures.js';

test('Archived outranks deceased, which outranks merged, which outranks inactive', () => {
  expect([...departureReasons].reverse()).toEqual([
    'patient_archived',
    'patient_deceased',
    'patient_merged',
    'patient_inactive',
  ]);
  expect(lesserThan('patient_deceased')).toEqual(['patient_inactive', 'patient_merged']);
  expect(lesserThan('patient_inactive')).toEqual([]);
});

test.each([
  [null, null, null],
  [null, 'patient_merged', 'patient_merged'],
  ['patient_archived', 'patient_deceased', 'patient_archived'],
  ['patient_inactive', 'patient_merged', 'patient_merged'],
] as const)('Of %s and %s the graver is %s', (one, other, graver) => {
  expect(graverOf(one, other)).toBe(graver);
});
