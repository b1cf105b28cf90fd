import { describe, expect, test } from '@jest/globals';
import { nearestName } from '../../domain/misspelling.js';

const known = [
  'dosage',
  'emrPatientId',
  'taskId',
  'phone',
  'state',
  'line1',
  'zip',
  'to',
  'city',
  'addressLine1',
];

describe('the known name that an unknown one misspells', () => {
  test.each([
    ['dosge', 'dosage', 'a letter is left out'],
    ['dosagee', 'dosage', 'a letter is inserted'],
    ['dosege', 'dosage', 'a letter is changed'],
    ['dosaeg', 'dosage', 'two letters are swapped'],
    ['dsge', 'dosage', 'two letters of a long name are left out'],
    ['DOSAGE', 'dosage', 'only the case differs'],
    ['emr_patient_id', 'emrPatientId', 'only `_` differs'],
    ['emr-patient-id', 'emrPatientId', 'only `-` differs'],
    ['task_ID', 'taskId', 'only `_` and the case differ'],
    ['stat', 'state', 'one letter of five is left out'],
    ['ctiy', 'city', 'two letters of a short name are swapped'],
    ['ZIP', 'zip', 'only the case of three letters differs'],
    ['zpi', 'zip', 'two of three letters are swapped'],
    ['ot', 'to', 'two of two letters are swapped'],
    ['adresLine1', 'addressLine1', 'letters are left out beside a digit'],
  ])('%s means %s, because %s', (unknown, name) => {
    expect(nearestName(unknown, known)).toBe(name);
  });

  test.each([
    ['dsg', 'three letters of a long name are left out'],
    ['staet1', 'a digit is inserted'],
    ['sate5', 'a digit replaces a letter'],
    ['stts', 'two letters of five differ'],
    ['zi', 'one of three letters is left out'],
    ['zap', 'one of three letters is changed'],
    ['two', 'a letter is inserted into two'],
    ['phone2', 'it is a second phone'],
    ['addressLine2', 'it is a second line'],
    ['line2', 'it is a second line'],
    ['dosage/', 'it has a character that is no letter'],
    ['', 'it is empty'],
    ['notes', 'it is another word'],
  ])('%s means none, because %s', (unknown) => {
    expect(nearestName(unknown, known)).toBeUndefined();
  });

  test('The nearest name wins, and the first of equally near ones', () => {
    expect(nearestName('firstNme', ['lastName', 'firstName'])).toBe('firstName');
    expect(nearestName('startAt', ['startsAt', 'start_at'])).toBe('start_at');
    expect(nearestName('lineA', ['lineB', 'lineC'])).toBe('lineB');
  });
});
