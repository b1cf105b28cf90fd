import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { issuePlanToken, verifyPlanToken } from '../../platform/crypto/plan-token.js';

const secret = 'plan-token-secret-of-more-than-32-bytes';
const issuedAt = 1_800_000_000_000;
const payload = { intakeType: 'glp-1', plan: 'monthly', amountCents: 29_900, issuedAt };
const minuteMs = 60_000;

const signed = (text: string): string => {
  const encoded = Buffer.from(text).toString('base64url');
  return `${encoded}.${createHmac('sha256', secret).update(encoded).digest('hex')}`;
};

test('a plan token is the payload in base64url and the hex HMAC over just that text', () => {
  const [encoded = '', mac] = issuePlanToken(secret, payload).split('.');
  expect(JSON.parse(Buffer.from(encoded, 'base64url').toString())).toEqual(payload);
  expect(mac).toBe(createHmac('sha256', secret).update(encoded).digest('hex'));
});

test.each([
  ['at once', 0],
  ['15 minutes later', 15 * minuteMs],
  ['by a clock a minute behind', -minuteMs],
])('a plan token is honoured %s', (_when, laterMs) => {
  expect(verifyPlanToken(secret, issuePlanToken(secret, payload), issuedAt + laterMs)).toEqual({
    ok: true,
    payload,
  });
});

test('a plan token has expired a millisecond after its 15 minutes', () => {
  const token = issuePlanToken(secret, payload);
  expect(verifyPlanToken(secret, token, issuedAt + 15 * minuteMs + 1)).toBe('expired');
});

describe('an invalid plan token', () => {
  const token = issuePlanToken(secret, payload);
  const [encoded = '', mac = ''] = token.split('.');
  const cheaper = Buffer.from(JSON.stringify({ ...payload, amountCents: 1 })).toString('base64url');
  test.each([
    ['another price under the old signature', `${cheaper}.${mac}`],
    ['another secret', issuePlanToken(`${secret}!`, payload)],
    ['upper-case hex', `${encoded}.${mac.toUpperCase()}`],
    ['a signature cut short', token.slice(0, -1)],
    ['no signature', encoded],
    ['no payload', `.${mac}`],
    ['nothing at all', ''],
    ['text that is no token', 'ü.ü'],
    [
      'more than a minute from the future',
      issuePlanToken(secret, { ...payload, issuedAt: issuedAt + minuteMs + 1 }),
    ],
    ['a signed text that is no JSON', signed('plan')],
    ['a signed payload without a price', signed(JSON.stringify({ ...payload, amountCents: undefined }))],
    ['a signed price that is no whole number', signed(JSON.stringify({ ...payload, amountCents: 0.5 }))],
  ])('is one with %s', (_what, bad) => {
    expect(verifyPlanToken(secret, bad, issuedAt)).toBe('invalid');
  });

  test('is never called expired, however old: the signature is judged first', () => {
    expect(verifyPlanToken(secret, `${cheaper}.${mac}`, issuedAt + 60 * minuteMs)).toBe('invalid');
  });
});
