import { describe, expect, test } from '@jest/globals';
import { checkRequest } from '../../../api/intake/contract.js';
import { codeCheck } from '../../../api/organization/contract.js';
import { holdAnswer, prescriptionSubmission } from '../../../api/router/contract.js';
import { asOrdered } from '../../../domain/router/ordered.js';

const shipTo = {
  firstName: ' Sam ',
  lastName: 'Sample',
  phone: '+1 (206) 555-0143 x9',
  addressLine1: ' 1 Main St',
  addressLine2: 'Apt 2 ',
  city: 'Austin',
  state: 'TX',
  zip: ' 73301 ',
};
const submission = {
  source: 'clinic',
  sourceOrderId: ' order 1 ',
  callbackUrl: 'https://clinic.example.test/callback',
  patient: {
    firstName: 'Pat ',
    lastName: 'Example',
    dob: '1980-02-29',
    gender: 'female' as const,
    phone: '+15550001',
  },
  shipTo,
  prescriber: { firstName: 'Blair', lastName: 'Chen', npi: '1245319599' },
  medication: { name: 'semaglutide ', sig: 'weekly', quantity: 2.5, daysSupply: 28, refills: 3 },
};

test('a pharmacy is given no white space around texts, and ten digits where a phone has them', () => {
  expect(asOrdered(submission)).toEqual({
    ...submission,
    patient: { ...submission.patient, firstName: 'Pat' },
    shipTo: {
      ...shipTo,
      firstName: 'Sam',
      phone: '2065550143',
      addressLine1: '1 Main St',
      addressLine2: 'Apt 2',
      zip: '73301',
    },
  });
});

describe('the router takes', () => {
  const issuesOf = (change: object) =>
    prescriptionSubmission
      .safeParse({ ...submission, ...change })
      .error?.issues.map(({ path }) => path.join('.'));
  test('whole refills and days only, and quantities of any size', () => {
    expect(issuesOf({})).toBeUndefined();
    expect(issuesOf({ medication: { ...submission.medication, refills: 1.5, daysSupply: 2.5 } })).toEqual([
      'medication.daysSupply',
      'medication.refills',
    ]);
  });

  test('no blank in place of what is required', () => {
    expect(issuesOf({ shipTo: { ...shipTo, city: ' ', zip: '     ' }, sourceOrderId: '  ' })).toEqual([
      'sourceOrderId',
      'shipTo.city',
      'shipTo.zip',
    ]);
  });

  test.each([
    [{}, true],
    [{ country: 'USA', zip: '733011234' }, true],
    [{ country: 'Canada' }, false],
    [{ zip: '733' + '01-12' }, false],
  ])('in an answer to a hold an address in the United States: %j', (change, isTaken) => {
    const changes = { shipTo: { ...shipTo, ...change } };
    expect(holdAnswer.safeParse({ answer: 'change', changes }).success).toBe(isTaken);
  });
});

test('codes of intake and desk are read without blanks', () => {
  const typed = { email: ' Dana@example.test', code: ' 383 777' };
  expect(checkRequest.parse(typed)).toEqual({ email: 'dana@example.test', code: '383777' });
  expect(codeCheck.parse(typed)).toEqual({ email: 'Dana@example.test', code: '383777' });
});
