import { expect, test } from '@jest/globals';
import { emailKey, emailOf } from '../../domain/email-address.js';

test.each([
  ['o&leary@example.test', 'o&leary@example.test'],
  ['a!test@example.test', 'a!test@example.test'],
  ['dept/dana@example.test', 'dept/dana@example.test'],
  ["o'leary+rx@example.test", "o'leary+rx@example.test"],
  ['dana@example.xn--p1ai', 'dana@example.xn--p1ai'],
  ['dana@bücher.example', 'dana@xn--bcher-kva.example'],
  [' DANA@EXAMPLE.TEST\u00a0', 'DANA@EXAMPLE.TEST'],
])('%j is an address', (text, address) => {
  expect(emailOf(text)).toBe(address);
  expect(emailOf(address)).toBe(address);
});

test.each([
  'dana',
  'dana@',
  '@example.test',
  'dana@example',
  'dana@example.test\n',
  'dana@example.test\r\nBcc: x@example.test',
  'da na@example.test',
  '"dana"@example.test',
  'dana@exa mple.test',
  'dana@example..test',
  'dana@-example.test',
  'dana@192.0.2.1',
  'dana@[192.0.2.1]',
  'dana@example.test/path',
  'dana@example.test:25',
  '.dana@example.test',
  'da..na@example.test',
  `${'x'.repeat(65)}@example.test`,
  'x'.repeat(300),
])('%j is none', (text) => {
  expect(emailOf(text)).toBeUndefined();
});

test('two spellings of one address are one', () => {
  expect(emailKey(' Dana@BÜCHER.example')).toBe(emailKey('dana@xn--bcher-kva.example'));
});
