import { expect, test } from '@jest/globals';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { startSandbox } from '../../sandbox/app.js';
import { readConfig } from '../../sandbox/config.js';
import { call, freshSettings, useSandbox } from './helpers.js';

const sandbox = useSandbox();

const expected = { issuer: 'http://127.0.0.1:4100/idp', audience: 'scriptrail', algorithms: ['ES256'] };
const tokenOf = async (json: object): Promise<string> => {
  const { body } = await sandbox.call('/_sandbox/idp/tokens', { json });
  return (body as { idToken: string }).idToken;
};
const verify = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${sandbox.url()}/idp/jwks.json`)), expected);

test('signs a token that its published keys verify', async () => {
  const { payload } = await verify(await tokenOf({ sub: 'person-1', email: 'pat@clinic.test' }));
  expect(payload).toMatchObject({ sub: 'person-1', email: 'pat@clinic.test', email_verified: true });
  expect(payload.exp! - payload.iat!).toBe(600);
});

test('publishes no private part of its key', async () => {
  const { body } = await sandbox.call('/idp/jwks.json');
  expect(body).toEqual({
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        ...{ x: expect.any(String), y: expect.any(String), kid: expect.any(String) },
      },
    ],
  });
});

test('signs whatever else a test needs: a token that has expired, one of another issuer', async () => {
  const person = { sub: 'person-1', email: 'pat@clinic.test' };
  await expect(verify(await tokenOf({ ...person, claims: { exp: 1 } }))).rejects.toThrow(errors.JWTExpired);
  await expect(verify(await tokenOf({ ...person, claims: { iss: 'other' } }))).rejects.toThrow(
    errors.JWTClaimValidationFailed,
  );
});

test('refuses a token for nobody', async () => {
  expect(await sandbox.call('/_sandbox/idp/tokens', { json: { email: 'pat@clinic.test' } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('sub') },
  });
});

test('records who asked for its keys, and can be told to fail', async () => {
  await sandbox.setFault({ target: 'idp', kind: 'status', status: 503, times: 1 });
  expect((await sandbox.call('/idp/jwks.json')).status).toBe(503);
  expect((await sandbox.requests('idp'))[0]).toMatchObject({
    operation: 'keys',
    status: 503,
    fault: 'status',
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
