import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { setResponseHeaders } from '../../api/plugins/response-headers.js';
import type { Config } from '../../platform/config.js';

test.each([
  ['production', 'max-age=31536000; includeSubDomains'],
  ['development', undefined],
] as const)('in %s browsers are told of https: %s', async (NODE_ENV, told) => {
  const app = Fastify();
  setResponseHeaders(app, { NODE_ENV } as Config);
  const { headers } = await app.inject('/');
  expect(headers['strict-transport-security']).toBe(told);
  expect(headers['x-content-type-options']).toBe('nosniff');
});
