import { expect, test } from '@jest/globals';
import { requireTls } from '../../api/receivers.js';
import { InvalidField } from '../../api/http-errors.js';

const listed = { CALLBACK_PRIVATE_HOSTS: ['receiver.internal:8080', 'receiver.internal:80'] };
const judged = (address: string, NODE_ENV: 'production' | 'test' = 'production') => {
  try {
    requireTls('callbackUrl', address, { NODE_ENV }, listed);
    return 'taken';
  } catch (error) {
    if (error instanceof InvalidField) return [error.path, error.message];
    throw error;
  }
};

test('in production a receiver of a client has TLS, or is one that the operator lists', () => {
  const refused = ['callbackUrl', 'must be an https URL'];
  expect(judged('http://clinic.example.org/callbacks')).toEqual(refused);
  expect(judged('http://receiver.internal:8081')).toEqual(refused);
  for (const address of [
    'https://clinic.example.org/callbacks',
    'http://Receiver.internal:8080/x',
    'http://receiver.internal',
  ])
    expect(judged(address)).toBe('taken');
  expect(judged('http://clinic.example.org/callbacks', 'test')).toBe('taken');
});
