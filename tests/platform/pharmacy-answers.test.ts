import { expect, test } from '@jest/globals';
import { readPharmacyAnswer } from '../../integrations/pharmacies/adapter.js';

test('The error of a pharmacy is cut to 500 characters, and never within one', () => {
  const body = JSON.stringify({ error: `${'x'.repeat(499)}😀` });
  const response = { status: 400, headers: {}, body };
  expect(readPharmacyAnswer('pharmacy_a', response, () => undefined)).toEqual({
    accepted: false,
    status: 400,
    error: 'x'.repeat(499),
    response: body,
  });
});
