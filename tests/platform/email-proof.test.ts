import { SignJWT } from 'jose';
import { describe, expect, test } from '@jest/globals';
import { issueEmailProof, provenAddress } from '../../platform/crypto/email-proof.js';
import { issuePlanToken } from '../../platform/crypto/plan-token.js';

const secret = 's'.repeat(40);

describe('a proof of an address', () => {
  test('is of that address, and says nothing else of it', async () => {
    const proof = await issueEmailProof(secret, 'hash-of-an-address');
    expect(await provenAddress(secret, proof)).toBe('hash-of-an-address');
    const claims = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'sub']);
  });

  test('ends after two hours', async () => {
    const claims = JSON.parse(
      Buffer.from((await issueEmailProof(secret, 'x')).split('.')[1] ?? '', 'base64url').toString(),
    ) as { exp: number; iat: number };
    expect(claims.exp - claims.iat).toBe(2 * 60 * 60);
  });

  test.each([
    ['none', async () => ''],
    ['a text', async () => 'x'.repeat(1_000)],
    ['one of another secret', () => issueEmailProof('t'.repeat(40), 'x')],
    ['one that was changed', async () => `${await issueEmailProof(secret, 'x')}x`],
    [
      'a plan token',
      async () =>
        issuePlanToken(secret, { intakeType: 'nad', plan: 'monthly', amountCents: 1, issuedAt: Date.now() }),
    ],
    [
      "another token of the gateway's secret",
      () =>
        new SignJWT({ sub: 'x' })
          .setProtectedHeader({ alg: 'HS256', typ: 'email-proof+jwt' })
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(Buffer.from(secret)),
    ],
    [
      'one that says it needs no signature',
      async () => {
        const [, payload = ''] = (await issueEmailProof(secret, 'x')).split('.');
        const header = Buffer.from('{"alg":"none","typ":"email-proof+jwt"}').toString('base64url');
        return `${header}.${payload}.`;
      },
    ],
  ])('is not %s', async (_kind, forged) => {
    expect(await provenAddress(secret, await forged())).toBeUndefined();
  });
});
