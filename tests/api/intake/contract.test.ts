import { expect, test } from '@jest/globals';
import { intake, paymentIntentRequest, sendRequest } from '../../../api/intake/contract.js';
import { rejectedFields } from '../../helpers/contract.js';

const valid = {
  firstName: 'Ada',
  lastName: 'Test',
  dob: '02-29-1984',
  gender: 'female',
  email: 'ada@patients.test',
  phone: '+1 (202) 555-0101',
  state: 'NY',
  address: { line1: '18 Larch Lane', line2: 'Flat 3', city: 'Sampleton', state: 'NY', zip: '13202' },
  intakeType: 'glp-1',
  planToken: 'token',
  couponCode: 'WELCOME25',
  emailProof: 'proof',
};
const addressWith = (change: object) => ({ address: { ...valid.address, ...change } });

test('a complete intake is accepted, and so is one without its optional fields', () => {
  const { gender: _gender, couponCode: _couponCode, emailProof: _emailProof, ...least } = valid;
  const changed = [valid, least, { ...valid, couponCode: '' }, { ...valid, state: 'dc' }];
  expect(changed.flatMap((body) => rejectedFields(intake, body))).toEqual([]);
});

test.each<[string, object]>([
  ['firstName', { firstName: '' }],
  ['lastName', { lastName: undefined }],
  ['dob', { dob: '02-30-1980' }],
  ['dob', { dob: '1980-02-03' }],
  ['dob', { dob: '02-03-0084' }],
  ['gender', { gender: 'none' }],
  ['gender', { gender: null }],
  ['email', { email: 'nobody' }],
  ['phone', { phone: '202555010' }],
  ['phone', { phone: 2_025_550_101 }],
  ['state', { state: 'PR' }],
  ['state', { state: 'New York' }],
  ['address', { address: undefined }],
  ['address.line1', addressWith({ line1: '' })],
  ['address.city', addressWith({ city: undefined })],
  ['address.state', addressWith({ state: 'N' })],
  ['address.zip', addressWith({ zip: '1320' })],
  ['address.zip', addressWith({ zip: '13202-123456' })],
  ['intakeType', { intakeType: 'glp1' }],
  ['planToken', { planToken: undefined }],
  ['couponCode', { couponCode: 7 }],
  ['emailProof', { emailProof: 7 }],
])('an intake is rejected at %s: %j', (field, change) => {
  expect(rejectedFields(intake, { ...valid, ...change })).toEqual([field]);
});

const long = ' '.repeat(100_000);
test.each([
  ...['firstName', 'lastName', 'dob', 'gender', 'email', 'phone', 'state'],
  ...['intakeType', 'planToken', 'couponCode', 'emailProof'],
  ...['address.line1', 'address.line2', 'address.city', 'address.state', 'address.zip'],
])('an intake is rejected at %s when the text is too long', (field) => {
  const [outer = '', inner] = field.split('.');
  const change = inner === undefined ? { [outer]: long } : addressWith({ [inner]: long });
  expect(new Set(rejectedFields(intake, { ...valid, ...change }))).toEqual(new Set([field]));
});

test.each(['visitor', 'visitor@', '@example.test', 'a b@example.test', `${'a'.repeat(250)}@example.test`])(
  'a request for a code is rejected at the e-mail address %s',
  (email) => {
    expect(new Set(rejectedFields(sendRequest, { email }))).toEqual(new Set(['email']));
  },
);

test.each([[7], [''], [null]])('a payment intent is rejected for the customer id %j', (customerId) => {
  expect(rejectedFields(paymentIntentRequest, { customerId })).toEqual(['customerId']);
});
