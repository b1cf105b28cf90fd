import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { defaultStateDir } from '../../dev/dev-json.js';
import { developmentSuperadmin } from '../../dev/seed/admins.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { shared } from '../helpers/client.js';
import { bareRx } from './rx.js';

const dev = shared();
const secrets = loadSecrets(defaultStateDir());
let folder: string;
let described: Record<string, string>;

/** The file that an operator writes: where the system is, and keys of their own. */
const system = {
  services: { router: dev.services.router, intake: dev.services.intake },
  apiKeys: { admin: { key: dev.apiKeys['admin']!.key, secret: dev.apiKeys['admin']!.secret } },
  temporal: { namespace: dev.temporal.namespace, ui: dev.temporal.ui },
  admins: { superadmin: developmentSuperadmin.email },
};
const database = { DATABASE_URL: dev.databaseUrl };

async function describedBy(text: string): Promise<Record<string, string>> {
  const path = join(folder, `${randomUUID()}.json`);
  await writeFile(path, text);
  return { SCRIPTRAIL_SYSTEM: path };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-system-'));
  described = await describedBy(JSON.stringify(system));
});
afterAll(() => rm(folder, { recursive: true }));

describe('rx without anything of development', () => {
  test('signs for the services that the file describes', async () => {
    const { exitCode, stdout, stderr } = await bareRx(described, 'routing', 'list', 'NY', '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'NY' }]);
  });

  test('keeps keys in the database of DATABASE_URL, sealed with SECRET_ENCRYPTION_KEYS', async () => {
    const create = ['keys', 'create', 'an operator', '--scopes', 'router', '--json'];
    const settings = { ...database, SECRET_ENCRYPTION_KEYS: secrets.secretEncryptionKeys };
    const { stdout } = await bareRx(settings, ...create);
    const apiKeys = { clinic: JSON.parse(stdout) as object };
    const own = await describedBy(JSON.stringify({ ...system, apiKeys }));
    const missing = `/rx/prescriptions/${randomUUID()}`;
    expect((await bareRx(own, 'call', 'router', 'GET', missing)).stdout).toMatch(/^404\n/);
  });

  test('asks the endpoints for admins in the name of the superadmin whom the file names, without a key', async () => {
    const keyless = await describedBy(JSON.stringify({ ...system, services: dev.services, apiKeys: {} }));
    const settings = { ...keyless, ...database, ADMIN_JWT_SECRET: secrets.adminJwtSecret };
    for (const args of [['intake-retries', 'list'], ['access', '--record', randomUUID()], ['worklist']])
      expect(await bareRx(settings, ...args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await bareRx(settings, 'stuck')).toMatchObject({ exitCode: 0 });
    const { stdout } = await bareRx(settings, 'admin', 'token');
    expect(decodeJwt(stdout.trim())).toMatchObject({ sub: developmentSuperadmin.id, isSuperadmin: true });
  });

  test.each<[string, () => Promise<Record<string, string>>, string[], string]>([
    ['no file', async () => ({}), ['runs'], 'SCRIPTRAIL_SYSTEM is missing'],
    [
      'a file that is not there',
      async () => ({ SCRIPTRAIL_SYSTEM: '/nowhere' }),
      ['runs'],
      'it cannot be read',
    ],
    ['a file that is not JSON', () => describedBy('services:'), ['runs'], 'it is not JSON'],
    [
      'an address that is none',
      () => describedBy(JSON.stringify({ ...system, services: { router: 'here' } })),
      ['routing', 'list'],
      'services.router',
    ],
    [
      'a service that the file leaves out',
      async () => described,
      ['call', 'registry', 'GET', '/physicians', '--key', 'admin'],
      "The address of registry is not in the system's description.",
    ],
    [
      'a key that the file leaves out',
      async () => described,
      ['call', 'router', 'GET', '/rx/routing'],
      'There is no key clinic; there are admin.',
    ],
    ['no secret for tokens', async () => described, ['admin', 'token'], 'ADMIN_JWT_SECRET is missing'],
    ['no ring', async () => database, ['keys', 'list'], 'SECRET_ENCRYPTION_KEYS is missing'],
    [
      'a ring without a database',
      async () => ({ ...described, SECRET_ENCRYPTION_KEYS: secrets.secretEncryptionKeys }),
      ['keys', 'list'],
      'DATABASE_URL is missing',
    ],
  ])('refuses %s with what is wanting and exit code 1', async (_what, env, args, complaint) => {
    const { exitCode, stdout, stderr } = await bareRx(await env(), ...args);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(complaint);
    expect(stderr).not.toContain('    at ');
  });
});
