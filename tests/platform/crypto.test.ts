import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  adminTokenLifetimeSeconds,
  issueAdminToken,
  verifyAdminToken,
} from '../../platform/crypto/admin-token.js';
import { idPart, jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { sign, signatureMatches, signedHeaders, signV2 } from '../../platform/crypto/signature.js';

const key = (id: string) => ({ id, key: randomBytes(32) });

describe('a key ring', () => {
  const old = key('2025');
  const ring = new KeyRing([key('2026'), old]);

  it('opens what it sealed, and what an older key of the ring sealed', () => {
    expect(ring.decryptText(ring.encryptText('a secret', 'row'), 'row')).toBe('a secret');
    expect(ring.decryptText(new KeyRing([old]).encryptText('older', 'row'), 'row')).toBe('older');
  });

  it('opens a text in its own row only', () => {
    expect(() => ring.decryptText(ring.encryptText('a secret', 'row'), 'other')).toThrow();
  });

  it('never seals the same text alike twice', () => {
    expect(ring.encryptText('x', 'row')).not.toBe(ring.encryptText('x', 'row'));
  });

  it('seals what is bound to something under a key of that thing alone', () => {
    const own = key('2026');
    const sealed = new KeyRing([own]).encrypt(Buffer.from('a secret'), 'run');
    const open = (with_: Buffer) => {
      const decipher = createDecipheriv('aes-256-gcm', with_, sealed.subarray(0, 12))
        .setAAD(Buffer.from('2026\nrun'))
        .setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString();
    };
    expect(open(createHmac('sha256', own.key).update('run').digest())).toBe('a secret');
    expect(() => open(own.key)).toThrow();
  });

  it('refuses a changed text, a changed key id and an unknown key', () => {
    const sealed = ring.encrypt(Buffer.from('a secret'));
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    expect(() => ring.decrypt('2026', sealed)).toThrow();
    expect(() => ring.decryptText(ring.encryptText('a', 'row').replace('2026:', '2025:'), 'row')).toThrow();
    expect(() => ring.decryptText(ring.encryptText('a', 'row').replace('2026:', '1999:'), 'row')).toThrow(
      /1999/,
    );
  });
});

describe('a request signature', () => {
  it('is the lower-case hex HMAC-SHA256 of timestamp, dot and body', () => {
    // The expected value was made with another implementation.
    expect(sign('secret', '2026-01-01T00:00:00Z', '{}')).toBe(
      '7ca29ad01d3d187eeda8d72f7c0b95c5a81154ce5a87f66f472bf350d4183a5d',
    );
  });

  it('matches only itself: not in upper case, not shortened, not empty', () => {
    const signature = sign('secret', 't', 'body');
    expect(signatureMatches(signature, signature)).toBe(true);
    for (const other of [
      signature.toUpperCase(),
      signature.slice(1),
      '',
      `${signature}0`,
      sign('x', 't', 'body'),
    ])
      expect(signatureMatches(signature, other)).toBe(false);
  });

  it('is never the same twice, also for equal requests at one moment', () => {
    const made = Array.from({ length: 500 }, () => signedHeaders({ keyId: 'k', secret: 's' }, '{}'));
    expect(new Set(made.map((headers) => headers['x-signature'])).size).toBe(500);
  });

  it('covers an empty body as {}', () => {
    const headers = signedHeaders({ keyId: 'k', secret: 's' }, '');
    expect(headers['x-signature']).toBe(sign('s', headers['x-timestamp'], '{}'));
  });
});

describe('the examples of docs/signing.md', () => {
  const page = readFileSync('docs/signing.md', 'utf8');
  const [, secret = ''] = /With the secret `([^`]+)`/.exec(page)!;
  const [, nonce = ''] = /and the nonce `([^`]+)`/.exec(page)!;
  const bodyOf = (cell: string) => (cell === 'none' ? '' : cell);
  /** The rows of the section's table that end in a signature, without the quotes around their cells. */
  const examples = (section: string) =>
    page
      .split(`\n## ${section}\n`)[1]!
      .split('\n## ')[0]!
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .filter((cells) => /^[0-9a-f]{64}$/.test(cells.at(-2) ?? ''))
      .map((cells) => cells.slice(1, -1));

  it('are what version 1 signs', () => {
    const rows = examples('Version 1');
    expect(rows).toHaveLength(2);
    for (const [timestamp = '', body = '', signature] of rows)
      expect(sign(secret, timestamp, bodyOf(body) || '{}')).toBe(signature);
  });

  it('are what version 2 signs', () => {
    const rows = examples('Version 2');
    expect(rows).toHaveLength(2);
    for (const [method = '', path = '', timestamp = '', body = '', signature] of rows)
      expect(signV2(secret, { method, path, timestamp, nonce }, bodyOf(body))).toBe(signature);
  });
});

describe('ids', () => {
  it('are version 5 UUIDs that keep their parts apart', () => {
    expect(uuidV5('a', 'bc')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(uuidV5(...a) === uuidV5(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
    expect(uuidV5('a', 'bc')).not.toBe(uuidV5('ab', 'c'));
  });

  it('keep a short plain text and hash any other', () => {
    expect(idPart('task-1')).toBe('task-1');
    for (const text of ['x'.repeat(201), 'with space', 'tâche'])
      expect(idPart(text)).toMatch(/^sha256-[0-9a-f]{64}$/);
  });

  it('hash equal JSON alike, whatever the order of its keys', () => {
    expect(jsonHash({ a: 1, b: { c: [1, 2], d: null } })).toBe(jsonHash({ b: { d: null, c: [1, 2] }, a: 1 }));
    expect(jsonHash({ a: [1, 2] })).not.toBe(jsonHash({ a: [2, 1] }));
    expect(jsonHash({ a: 1 })).not.toBe(jsonHash({ a: '1' }));
    expect(jsonHash({ a: 1, b: undefined })).toBe(jsonHash({ a: 1 }));
  });
});

describe('an admin token', () => {
  const secret = 's'.repeat(32);
  const admin = { sub: 'a', kind: 'admin' as const, isSuperadmin: true, memberships: [], ver: 0 };
  const now = Math.floor(Date.now() / 1000);
  const signed = (claims: object, alg = 'HS256', by = secret) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(Buffer.from(by));
  const fresh = { ...admin, iat: now, exp: now + 60 };

  it('is read back as it was issued', async () => {
    expect(await verifyAdminToken(secret, await issueAdminToken(secret, admin))).toEqual(admin);
    expect(await verifyAdminToken(secret, await signed(fresh))).toEqual(admin);
  });

  it.each([
    ['another secret', () => signed(fresh, 'HS256', 'x'.repeat(32))],
    ['another algorithm', () => signed(fresh, 'HS512', secret)],
    ['no expiry', () => signed({ ...admin, iat: now })],
    ['an expiry in the past', () => signed({ ...admin, iat: now - 600, exp: now - 60 })],
    ['an age beyond its lifetime', () => signed({ ...fresh, iat: now - adminTokenLifetimeSeconds - 60 })],
    ['another purpose', () => signed({ ...fresh, kind: 'plan' })],
    ['claims missing', () => signed({ sub: 'a', kind: 'admin', iat: now, exp: now + 60 })],
    ['no signature', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ['rubbish', async () => 'rubbish'],
  ])('is refused with %s', async (_why, make) => {
    expect(await verifyAdminToken(secret, await make())).toBeUndefined();
  });
});
