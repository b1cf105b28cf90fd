import { expect, test } from '@jest/globals';
import { usableContact } from '../../domain/usable-contact.js';

test('each contact is judged by itself', () => {
  const name = 'Dana Rivers';
  expect(usableContact({ name, email: ' dana@example.test ', phone: '206-555-0143 x9' })).toEqual({
    name,
    email: 'dana@example.test',
    phone: '2065550143',
    unusable: [],
  });
  expect(usableContact({ name, email: 'dana', phone: '2065550143' })).toEqual({
    name,
    phone: '2065550143',
    unusable: ['email'],
  });
  expect(usableContact({ name, email: 'dana@example.test', phone: '555' })).toEqual({
    name,
    email: 'dana@example.test',
    unusable: ['phone'],
  });
});

test('a name is cut to what a message takes, between characters', () => {
  expect(usableContact({ name: 'x'.repeat(300) }).name).toHaveLength(200);
  expect(usableContact({ name: `${'x'.repeat(199)}\u{1f600}` }).name).toBe('x'.repeat(199));
});
