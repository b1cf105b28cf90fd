import { describe, expect, test } from '@jest/globals';
import { intake, sendRequest as verification } from '../../api/intake/contract.js';
import { sendRequest } from '../../api/notification/contract.js';
import {
  auditQuery,
  codeRequest,
  newAdminUser,
  notificationConfig,
} from '../../api/organization/contract.js';
import { backfill, emailLookup, newPatient } from '../../api/patients/contract.js';
import { newPhysician } from '../../api/registry/contract.js';
import { emailAddress } from '../../platform/http/text.js';

const domain = 'clinic.example.test';
const longestLocal = `${'x'.repeat(64)}@${domain}`;
const label = 'd'.repeat(61);
const longest = `${'x'.repeat(64)}@${label}.${label}.${label}.de`;

test.each(['a@b.de', 'Nora.Quill+rx@clinic.example.test', longestLocal, longest.slice(0, 254)])(
  'takes %.80s',
  (address) => {
    expect(emailAddress.safeParse(address).success).toBe(true);
  },
);

test.each([
  'nora',
  '@clinic.example.test',
  'a b@clinic.example.test',
  `x${longestLocal}`,
  `${longest}${'e'.repeat(255 - longest.length)}`,
])('refuses %.80s', (address) => {
  expect(emailAddress.safeParse(address).success).toBe(false);
});

test('judges the length first: a text that is too long is refused for nothing else', () => {
  const { error } = emailAddress.safeParse('x'.repeat(1_000_000));
  expect(error?.issues).toMatchObject([{ code: 'too_big' }]);
});

describe('an address with more than 64 characters before the @ is refused where', () => {
  const email = `x${longestLocal}`;
  test.each([
    ['a visitor hands in an intake', intake, { email }, 'email'],
    ['a visitor asks for a code', verification, { email }, 'email'],
    ['a notification is sent', sendRequest, { recipient: { email } }, 'recipient.email'],
    ['an admin signs in', codeRequest, { email }, 'email'],
    ['an admin is invited', newAdminUser, { email }, 'email'],
    ['mail is sent as an organization', notificationConfig, { fromAddress: email }, 'fromAddress'],
    ['the audit is searched', auditQuery, { actor: email }, 'actor'],
    ['a patient is made', newPatient, { contactEmail: email }, 'contactEmail'],
    ['a patient is looked up', emailLookup, { email }, 'email'],
    ['a patient is changed', backfill, { email_lower: email }, 'email_lower'],
    ['a physician is added', newPhysician, { email }, 'email'],
  ])('%s', (_where, schema, value, path) => {
    const { error } = schema.safeParse(value);
    const messages = error?.issues
      .filter((issue) => issue.path.join('.') === path)
      .map(({ message }) => message);
    expect(messages).toEqual(['Must have at most 64 characters before the @']);
  });
});
