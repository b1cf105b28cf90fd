import { expect, test } from '@jest/globals';
import { phoneDigits, tenDigitsOf } from '../../domain/phone-number.js';

test.each([
  '2065550143',
  '12065550143',
  '+1 (206) 555-0143',
  '(206) 555-0143 x123',
  '206.555.0143 ext. 9',
  '206-555-0143 Extension 9',
  '2065550143#9',
  '2065550143,,9',
  'tel:+1-206-555-0143;ext=9',
  '２０６５５５０１４３',
  ' 206 555 0143 (mobile)',
  'tel: +1 206 555 0143',
  '206 555 0143 + voicemail',
])('%j is one number in ten digits', (text) => {
  expect(tenDigitsOf(text)).toBe('2065550143');
});

test.each([
  '555-0143',
  '+44 20 7946 0958',
  '+2065550143',
  'tel:+47 923 45 678',
  'Mobile +65 9234 5678',
  '1: (+65) 9234 5678',
  '0047 923 45 678',
  '011 65 9234 5678',
  '20655501431',
  '206555014',
  'ask my clinic',
  '',
])('%j is none', (text) => {
  expect(tenDigitsOf(text)).toBeUndefined();
});

test('the digits of a number leave out its extension and nothing else', () => {
  expect(phoneDigits('+1 (206) 555-0143 x123')).toBe('12065550143');
  expect(phoneDigits('x206')).toBe('206');
});
