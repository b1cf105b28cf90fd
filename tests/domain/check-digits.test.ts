import { expect, test } from '@jest/globals';
import { isDea, isNpi, warningsOf } from '../../domain/check-digits.js';

test.each([
  ['1234567893', true],
  ['1245319599', true],
  ['1234567890', false],
  ['1234567903', false],
  ['123456789', false],
  ['12345678931', false],
  ['12345x7893', false],
])('%s can be an NPI: %s', (npi, can) => {
  expect(isNpi(npi)).toBe(can);
});

test.each([
  ['BC1234563', true],
  ['bc1234563', true],
  ['F91234563', true],
  ['BC1234563-123', true],
  ['AB1234567', false],
  ['1234563', false],
  ['', false],
])('%j can be a DEA number: %s', (deaNumber, can) => {
  expect(isDea(deaNumber)).toBe(can);
});

test('a physician is warned about by each number that fails its check digit', () => {
  expect(warningsOf({ npi: '1234567893' })).toEqual([]);
  expect(warningsOf({ npi: '1234567893', deaNumber: null })).toEqual([]);
  expect(warningsOf({ npi: '1234567890', deaNumber: 'AB1234567' })).toEqual([
    'npi_check_digit',
    'dea_check_digit',
  ]);
});
