import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { lockSealedSecrets } from '../../db/access/api-keys.js';
import { createSql } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { keyRing } from '../../platform/config-values.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { call, eventually, shared } from '../helpers/client.js';
import { signedHeadersV2 } from '../../platform/crypto/signature.js';
import { bareRx, type CommandResult, keyFrom, rx, rxWith } from './rx.js';

const dev = shared();
interface Pair {
  key: string;
  secret: string;
}

async function use({ key, secret }: Pair, service: 'registry' | 'router' = 'registry') {
  const path = service === 'registry' ? '/physicians?limit=1' : `/rx/prescriptions/${randomUUID()}`;
  const keys = { ...dev, apiKeys: { it: { key, secret, scopes: [] } } };
  const { status, body } = await call(keys, service, { key: 'it', path });
  return { status, error: body['error'] };
}

const works = { status: 200, error: undefined };
const invalid = { status: 401, error: 'Invalid signature' };
const create = (...options: string[]) =>
  keyFrom('create', `test ${randomUUID()}`, '--scopes', 'registry', ...options);

async function listed(key: string): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await rx('keys', 'list', '--json');
  const keys = JSON.parse(stdout) as Record<string, unknown>[];
  return keys.find((entry) => entry['key'] === key);
}

describe('rx keys', () => {
  test('create: the key works where its scopes say, at once', async () => {
    const key = await create();
    expect(await use(key)).toEqual(works);
    expect(await use(key, 'router')).toEqual({ status: 403, error: 'Key not allowed for this service' });
  });

  test('create: several scopes, a physician and a limit of its own are kept; the list shows no secret', async () => {
    const physicianId = randomUUID();
    const name = `test ${randomUUID()}`;
    const options = [
      '--scopes',
      'router, registry',
      '--physician',
      physicianId,
      '--requests-per-minute',
      '7',
    ];
    const { key, secret } = await keyFrom('create', name, ...options);
    expect(await listed(key)).toEqual({
      key,
      name,
      scopes: ['router', 'registry'],
      physicianId,
      requestsPerMinute: 7,
      isActive: true,
      createdAt: expect.any(String),
      rotatedAt: null,
      lastUsedAt: null,
      previousSecretUntil: null,
    });
    const { stdout } = await rx('keys', 'list');
    expect(stdout).toContain(key);
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain(dev.apiKeys['registry']!.secret);
  });

  test('create: a key for signatures of version 2 takes no other', async () => {
    const key = await create('--signature-version', '2');
    expect(await use(key)).toEqual(invalid);
    const path = '/physicians?limit=1';
    const headers = signedHeadersV2({ keyId: key.key, secret: key.secret }, { method: 'GET', path }, '');
    expect((await fetch(dev.services.registry + path, { headers })).status).toBe(200);
    expect(await listed(key.key)).toMatchObject({ signatureVersion: 2 });
  });

  test('own: the keys of our own services take signatures of version 2 only, and an intact one stays (D158)', async () => {
    const own = ['ORCHESTRATOR', 'INTAKE', 'ORGANIZATION', 'WORKLIST'].map((name) => {
      const pair = { key: `own-${randomUUID()}`, secret: randomBytes(32).toString('hex') };
      return { name, ...pair };
    });
    const settings = Object.fromEntries(
      own.flatMap(({ name, key, secret }) => [
        [`${name}_API_KEY`, key],
        [`${name}_API_SECRET`, secret],
      ]),
    );
    expect((await rxWith(settings, 'keys', 'own')).stdout.match(/: made,/g)).toHaveLength(4);
    expect((await rxWith(settings, 'keys', 'own')).stdout.match(/: unchanged,/g)).toHaveLength(4);
    const [orchestrator] = own;
    expect(await use(orchestrator!)).toEqual(invalid);
    const path = '/physicians?limit=1';
    const headers = signedHeadersV2(
      { keyId: orchestrator!.key, secret: orchestrator!.secret },
      { method: 'GET', path },
      '',
    );
    expect((await fetch(dev.services.registry + path, { headers })).status).toBe(200);
  });

  test('own: with a new secret the former one works on, until the services have restarted (D4)', async () => {
    const pair = () => ({ key: `own-${randomUUID()}`, secret: randomBytes(32).toString('hex') });
    const names = ['ORCHESTRATOR', 'INTAKE', 'ORGANIZATION', 'WORKLIST'];
    const former = names.map((name) => ({ name, ...pair() }));
    const restore = (own: typeof former) =>
      rxWith(
        Object.fromEntries(
          own.flatMap(({ name, key, secret }) => [
            [`${name}_API_KEY`, key],
            [`${name}_API_SECRET`, secret],
          ]),
        ),
        'keys',
        'own',
      );
    await restore(former);
    const present = former.map((own) => ({ ...own, secret: pair().secret }));
    expect((await restore(present)).stdout.match(/: made,/g)).toHaveLength(4);
    const path = '/physicians?limit=1';
    for (const { key, secret } of [former[0]!, present[0]!]) {
      const headers = signedHeadersV2({ keyId: key, secret }, { method: 'GET', path }, '');
      expect((await fetch(dev.services.registry + path, { headers })).status).toBe(200);
    }
    const { previousSecretUntil } = (await listed(former[0]!.key)) as { previousSecretUntil: string };
    expect(Date.parse(previousSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  });

  test('set: what a key is told is changed by name, shown where it is not as usual, and the rest stays (D103)', async () => {
    const key = await create('--receives-holds', '--no-initial-callback');
    expect(await listed(key.key)).toMatchObject({ receivesHolds: true, initialCallback: false });
    const set = async (...flags: string[]) => {
      const { exitCode, stdout } = await rx('keys', 'set', key.key, ...flags, '--json');
      expect(exitCode).toBe(0);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const heard = await set('--initial-callback');
    expect([heard['receivesHolds'], 'initialCallback' in heard, 'secret' in heard]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await set('--no-receives-holds', '--no-initial-callback')).toMatchObject({
      initialCallback: false,
    });
    expect(await listed(key.key)).not.toHaveProperty('receivesHolds');
    expect(await use(key)).toEqual(works);
  });

  test('set: a key owns its failed approvals or not, and shows it only if it does (D137)', async () => {
    const key = await create('--owns-failures');
    expect(await listed(key.key)).toMatchObject({ ownsFailures: true });
    const { exitCode } = await rx('keys', 'set', key.key, '--no-owns-failures', '--json');
    expect(exitCode).toBe(0);
    expect(await listed(key.key)).not.toHaveProperty('ownsFailures');
  });

  test('list: shows when a key was last used', async () => {
    const key = await create();
    await use(key);
    expect((await listed(key.key))?.['lastUsedAt']).toEqual(expect.any(String));
  });

  test('rotate: both secrets work through the grace period, a day unless said otherwise', async () => {
    const old = await create();
    const rotated = await keyFrom('rotate', old.key);
    expect(rotated.secret).not.toBe(old.secret);
    for (const pair of [old, rotated]) expect(await use(pair)).toEqual(works);
    const until = Date.parse(String((await listed(old.key))?.['previousSecretUntil']));
    const hours = (until - Date.parse(String((await listed(old.key))?.['rotatedAt']))) / 3_600_000;
    expect(hours).toBe(24);
  });

  test('rotate: without grace the old secret is refused at once', async () => {
    const old = await create();
    const rotated = await keyFrom('rotate', old.key, '--grace', '0s');
    expect(await use(old)).toEqual(invalid);
    expect(await use(rotated)).toEqual(works);
  });

  test('rotate: a second rotation ends the first secret, also within its grace', async () => {
    const first = await create();
    const second = await keyFrom('rotate', first.key, '--grace', '30m');
    const third = await keyFrom('rotate', first.key, '--grace', '30m');
    expect(await use(first)).toEqual(invalid);
    for (const pair of [second, third]) expect(await use(pair)).toEqual(works);
  });

  test('revoke: neither secret works, refused in the words of an unknown key', async () => {
    const old = await create();
    const rotated = await keyFrom('rotate', old.key);
    expect(await rx('keys', 'revoke', old.key)).toMatchObject({ exitCode: 0 });
    const unknown = { key: `key-${randomUUID()}`, secret: rotated.secret };
    for (const pair of [old, rotated, unknown]) expect(await use(pair)).toEqual(invalid);
    expect(await listed(old.key)).toMatchObject({ isActive: false });
    expect(await rx('keys', 'rotate', old.key)).toMatchObject({
      exitCode: 1,
      stderr: `There is no active key ${old.key}.\n`,
    });
  });

  test('a key in use: the new secret works at once, the old one and a revoked key are refused a moment later', async () => {
    const old = await create();
    // Every service remembers it.
    const busy = setInterval(() => void use(old).catch(() => undefined), 200);
    try {
      const rotated = await keyFrom('rotate', old.key, '--grace', '0s');
      expect(await use(rotated)).toEqual(works);
      await eventually(async () => (await use(old)).status === 401);
      expect(await use(rotated)).toEqual(works);
      await rx('keys', 'revoke', old.key);
      await eventually(async () => (await use(rotated)).status === 401);
      expect(await use(rotated)).toEqual(invalid);
    } finally {
      clearInterval(busy);
    }
  });

  test('reseal: all secrets under the newest key, so that the old one can be dropped; again, nothing', async () => {
    const name = `reseal_${randomUUID().replaceAll('-', '')}`;
    const owner = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    await owner.unsafe(`create database ${name}`);
    const databaseUrl = Object.assign(new URL(dev.databaseUrl), { pathname: `/${name}` }).href;
    const sql = createSql(databaseUrl, { applicationName: 'test', max: 1 });
    const [before, after] = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
    const operator = (ring: string, ...args: string[]) =>
      bareRx({ DATABASE_URL: databaseUrl, SECRET_ENCRYPTION_KEYS: ring }, 'keys', ...args, '--json');
    const secretOf = ({ stdout }: CommandResult) => JSON.parse(stdout) as Pair;
    try {
      await migrate({ databaseUrl, serviceDatabaseUrls: {} });
      const first = secretOf(await operator(before!, 'create', 'one', '--scopes', 'router'));
      const rotated = secretOf(await operator(before!, 'rotate', first.key));
      const other = secretOf(await operator(`${after},${before}`, 'create', 'two', '--scopes', 'router'));

      expect(await operator(after!, 'reseal')).toMatchObject({ exitCode: 1, stdout: '' });
      const ring = `${after},${before}`;
      const counts = async () => JSON.parse((await operator(ring, 'reseal')).stdout) as unknown;
      expect(await counts()).toEqual({ keyId: 'k2', resealed: 1, current: 1 });
      expect(await counts()).toEqual({ keyId: 'k2', resealed: 0, current: 2 });

      const alone = new KeyRing(keyRing.parse(after));
      const opened = (sealed: string | null, id: string) => sealed && alone.decryptText(sealed, id);
      const sealed = await lockSealedSecrets(sql);
      expect(
        sealed.map((row) => [
          row.id,
          opened(row.sealedSecret, row.id),
          opened(row.sealedPreviousSecret, row.id),
        ]),
      ).toEqual(
        expect.arrayContaining([
          [first.key, rotated.secret, first.secret],
          [other.key, other.secret, null],
        ]),
      );
    } finally {
      await sql.end();
      await owner.unsafe(`drop database ${name} with (force)`);
      await owner.end();
    }
  });

  test('for a person the new secret stands alone on its line, once', async () => {
    const { stdout } = await rx('keys', 'create', 'by hand', '--scopes', 'notification');
    expect(stdout.match(/^Secret +[0-9a-f]{64}$/gm)).toHaveLength(1);
  });

  test.each([
    [['create', 'x']],
    [['create', 'x', '--scopes', 'everything']],
    [['create', 'x', '--scopes', 'registry', '--physician', 'me']],
    [['create', 'x', '--scopes', 'registry', '--requests-per-minute', 'many']],
    [['create', 'x', '--scopes', 'registry', '--signature-version', '3']],
    [['rotate', 'registry', '--grace', 'long']],
    [['rotate', 'nobody']],
    [['revoke', 'nobody']],
    [['set', 'nobody', '--receives-holds']],
    [['set', 'registry']],
  ])('refused with a sentence and exit code 1: %j', async (args) => {
    const { exitCode, stdout, stderr } = await rx('keys', ...args);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
  });
});
