import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { answerClientError } from '../../api/plugins/client-errors.js';

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout', 'true'],
  ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large', 'false'],
  ['HPE_INVALID_METHOD', 400, 'validation_failed', 'false'],
])('A socket that fails with %s gets %i with the code %s', (code, status, word, retryable) => {
  const socket = new PassThrough();
  socket.on('error', () => undefined);
  let answer = '';
  socket.write = ((chunk: string) => (answer += chunk)) as never;
  answerClientError(Object.assign(new Error('failed'), { code }), socket as unknown as Socket);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain(`\r\nerror-code: ${word}\r\nerror-retryable: ${retryable}\r\n`);
  expect(socket.destroyed).toBe(true);
});

test('A socket that the client has reset gets nothing', () => {
  const socket = new PassThrough();
  socket.write = () => {
    throw new Error('written');
  };
  answerClientError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket as unknown as Socket);
  expect(socket.destroyed).toBe(false);
});
