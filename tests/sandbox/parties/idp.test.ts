import { expect, test } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { startSandbox } from '../../../sandbox/app.js';
import { readConfig } from '../../../sandbox/config.js';
import { call, freshSettings, useSandbox } from '../helpers.js';

const sandbox = useSandbox();

const expected = { issuer: 'http://127.0.0.1:4100/idp', audience: 'scriptrail', algorithms: ['ES256'] };

test('publishes no private part of its key', async () => {
  const { body } = await sandbox.call('/idp/jwks.json');
  expect(body).toEqual({
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
      },
    ],
  });
});

test('keeps its key over a restart', async () => {
  const config = readConfig(await freshSettings());
  const first = await startSandbox(config);
  const json = { sub: 'person-1', email: 'pat@clinic.test' };
  const { idToken } = (await call(`${first.url}/_sandbox/idp/tokens`, { json })).body as { idToken: string };
  await first.close();
  const second = await startSandbox(config);
  try {
    const { body } = await call(`${second.url}/idp/jwks.json`);
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(body as JSONWebKeySet), expected);
    expect(payload.sub).toBe('person-1');
  } finally {
    await second.close();
  }
});
