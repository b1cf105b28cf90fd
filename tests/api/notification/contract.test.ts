import { expect, test } from '@jest/globals';
import * as contract from '../../../api/notification/contract.js';
import { rejectedFields } from '../../helpers/contract.js';

const message = { type: 'order_shipped', recipient: { email: 'a@example.test' }, variables: {} };
const none = { email: false, sms: false, crm: false, chat: false };

test('a message, a template, the switches of the channels and a query are accepted', () => {
  expect(rejectedFields(contract.sendRequest, { ...message, channels: ['email', 'sms'] })).toEqual([]);
  expect(rejectedFields(contract.templateChanges, { smsBody: 'x'.repeat(1_600) })).toEqual([]);
  expect(rejectedFields(contract.channelSettings, none)).toEqual([]);
  expect(rejectedFields(contract.logQuery, { type: 'otp', from: '2026-01-01T00:00:00Z' })).toEqual([]);
});

test.each<[string, object]>([
  ['type', { type: undefined }],
  ['type', { type: 7 }],
  ['recipient', { recipient: undefined }],
  ['recipient.email', { recipient: { email: 'nobody' } }],
  ['recipient.email', { recipient: { email: 'a@example.test\r\nBcc: evil@example.test' } }],
  ['recipient.phone', { recipient: { phone: 'call me' } }],
  ['recipient.name', { recipient: { email: 'a@example.test', name: null } }],
  ['variables', { variables: undefined }],
  ['variables', { variables: [] }],
  ['channels', { channels: 'email' }],
  ['channels.0', { channels: ['fax'] }],
])('a message is rejected at %s (case %#)', (field, change) => {
  expect(rejectedFields(contract.sendRequest, { ...message, ...change })).toEqual([field]);
});

test.each<[string, object]>([
  ['emailSubject', { emailSubject: 7 }],
  ['emailSubject', { emailSubject: null }],
  ['emailSubject', { emailSubject: 'x'.repeat(501) }],
  ['emailText', { emailText: ['Hello'] }],
  ['smsBody', { smsBody: 'x'.repeat(1_601) }],
])('a template is rejected at %s (case %#)', (field, body) => {
  expect(rejectedFields(contract.templateChanges, body)).toEqual([field]);
});

test.each<[string, object]>([
  ['chat', { email: true, sms: true, crm: true }],
  ['email', { ...none, email: 'true' }],
  ['sms', { ...none, sms: 1 }],
  ['crm', { ...none, crm: null }],
])('the switches of the channels are rejected at %s (case %#)', (field, body) => {
  expect(rejectedFields(contract.channelSettings, body)).toEqual([field]);
});

test.each<[string, string]>([
  ['type', 'parcel'],
  ['type', ''],
  ['recipient', ''],
  ['recipient', 'x'.repeat(255)],
  ['status', 'pending'],
  ['from', 'yesterday'],
  ['from', '2026-02-30T00:00:00Z'],
  ['from', '2026-01-01'],
  ['from', '0000-01-01T00:00:00Z'],
  ['to', '9999-12-31T23:59:59-23:59'],
  ['to', ''],
  ['limit', '0'],
  ['limit', '201'],
  ['limit', '-1'],
  ['limit', '1e2'],
])('a query of the log is rejected at %s when it is %j', (field, value) => {
  expect(new Set(rejectedFields(contract.logQuery, { [field]: value }))).toEqual(new Set([field]));
});
