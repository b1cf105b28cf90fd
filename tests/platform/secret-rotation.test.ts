import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { datedKey, dropKey, oldKeys, rotateSecret } from '../../cli/secret-rotation.js';
import { createSecrets } from '../../cli/secrets.js';
import { keyRing } from '../../platform/config-values.js';
import { emptyFolder } from '../dev/helpers.js';

const names = ['ROUTER_CODEC_KEYS', 'PAYMENT_LINK_SECRET', 'ORCHESTRATOR_API_SECRET', 'POSTGRES_PASSWORD'];

async function folderOfSecrets() {
  const folder = await emptyFolder();
  createSecrets(folder, { database: 'db:5432/scriptrail', sandbox: true });
  const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8').trim();
  return {
    folder,
    read,
    idsOf: (name: string) => keyRing.parse(read(name)).map(({ id }) => id),
    rotate: (name: string) => rotateSecret(folder, name, names),
  };
}

test('a ring gets a new key behind the present one, then first, and loses the old one last', async () => {
  const { folder, idsOf, rotate } = await folderOfSecrets();
  const name = 'ROUTER_CODEC_KEYS';
  const [old = ''] = idsOf(name);
  expect(old).toMatch(/^router-\d{4}-\d{2}-\d{2}$/);
  expect(rotate(name)).toContain('the codec server first');
  expect(idsOf(name)).toEqual([old, `${old}.2`]);
  expect(() => dropKey(folder, name, old)).toThrow('no key');
  expect(rotate(name)).toContain(`--drop ${old}`);
  expect(idsOf(name)).toEqual([`${old}.2`, old]);
  dropKey(folder, name, old);
  expect(idsOf(name)).toEqual([`${old}.2`]);
  // The next year begins with the first step again.
  rotate(name);
  expect(idsOf(name)).toHaveLength(2);
  expect(idsOf(name)[0]).toBe(`${old}.2`);
});

test('a ring made by hand is changed alike', async () => {
  const { folder, idsOf, rotate } = await folderOfSecrets();
  const [, key] = datedKey('x').split(':');
  writeFileSync(`${folder}/ROUTER_CODEC_KEYS`, `router-1:${key}`);
  rotate('ROUTER_CODEC_KEYS');
  rotate('ROUTER_CODEC_KEYS');
  expect(idsOf('ROUTER_CODEC_KEYS')).toEqual([expect.stringMatching(/^router-20/), 'router-1']);
});

test('a secret of ours is replaced, a role gets another password, and what others give stays', async () => {
  const { read, rotate } = await folderOfSecrets();
  const before = read('PAYMENT_LINK_SECRET');
  rotate('PAYMENT_LINK_SECRET');
  expect(read('PAYMENT_LINK_SECRET')).toMatch(/^[0-9a-f]{64}$/);
  expect(read('PAYMENT_LINK_SECRET')).not.toBe(before);
  expect(rotate('ORCHESTRATOR_API_SECRET')).toContain('rx keys own');
  const url = new URL(read('ROUTER_DATABASE_URL'));
  rotate('ROUTER_DATABASE_URL');
  const changed = new URL(read('ROUTER_DATABASE_URL'));
  expect(changed.password).not.toBe(url.password);
  changed.password = url.password;
  expect(changed.href).toBe(url.href);
  for (const name of ['STRIPE_SECRET_KEY', 'POSTGRES_PASSWORD'])
    expect(() => rotate(name)).toThrow('is not a secret that only we make');
});

test('rings whose key is older than a year, or says no day, are named', async () => {
  const { folder } = await folderOfSecrets();
  expect(oldKeys(folder)).toEqual([]);
  const [, key] = datedKey('x').split(':');
  writeFileSync(`${folder}/ROUTER_CODEC_KEYS`, `router-1:${key}`);
  expect(oldKeys(folder)).toEqual([expect.stringMatching(/^ROUTER_CODEC_KEYS: router-1 /)]);
  const rings = oldKeys(folder, new Date(Date.now() + 366 * 86_400_000));
  expect(rings.length).toBeGreaterThan(10);
});
