import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../../platform/config.js';
import { takeSecretFiles } from '../../platform/config-files.js';
import { type ServiceName, serviceNames } from '../../platform/service-names.js';
import { emptyFolder } from '../dev/helpers.js';

const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const base = { NODE_ENV: 'test' };
const registry = {
  ...base,
  REGISTRY_CODEC_KEYS: `${key('new')},${key('old')}`,
  SECRET_ENCRYPTION_KEYS: key('k'),
  REGISTRY_DATABASE_URL: 'postgres://scriptrail_registry:p@127.0.0.1/db',
};
const storingServices = serviceNames.filter((name) => name !== 'codec');
const rings = Object.fromEntries(
  [...storingServices, 'events'].map((name) => [`${name.toUpperCase()}_CODEC_KEYS`, key(name)]),
);
const codec = {
  ...base,
  ...rings,
  ACCESS_DATABASE_URL: registry.REGISTRY_DATABASE_URL,
  ADMIN_JWT_SECRET: 'b7c1'.repeat(10),
  ORGANIZATION_URL: 'http://127.0.0.1:4006',
};
const faultsOf = (env: NodeJS.ProcessEnv, hosted: Parameters<typeof loadConfig>[1]): readonly string[] => {
  try {
    loadConfig(env, hosted);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('the configuration', () => {
  it('lists every fault at once', () => {
    const faults = faultsOf({ PORT_BASE: 'x', LOG_LEVEL: 'loud' }, ['router', 'orchestrator']);
    for (const name of ['PORT_BASE', 'LOG_LEVEL', 'ROUTER_CODEC_KEYS', 'ROUTER_DATABASE_URL', 'EMR_TOKEN'])
      expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(`^${name}: `)]));
  });

  it('asks a process only for what the services it hosts need', () => {
    expect(faultsOf(registry, ['registry'])).toEqual([]);
    expect(() => loadConfig(registry, ['registry']).service('router')).toThrow('not hosted');
  });

  it('gives every service a port from PORT_BASE, each overridable', () => {
    const { ports } = loadConfig({ ...registry, PORT_BASE: '5000', BRIDGE_PORT: '6001' }, ['registry']);
    expect(ports).toMatchObject({ router: 5001, orchestrator: 5002, bridge: 6001, codec: 5009 });
  });

  it('limits a key and an address to 600 requests a minute, and an approval to 120 s, unless told otherwise', () => {
    const prescriber = JSON.stringify({
      firstName: 'Sam',
      lastName: 'Ito',
      suffix: 'MD',
      npi: '1000000020',
      emrPractitionerId: 'x',
    });
    const urls = [
      'ORCHESTRATOR_PUBLIC_URL',
      'ROUTER_URL',
      'REGISTRY_URL',
      'NOTIFICATION_URL',
      'WORKLIST_URL',
      'EMR_BASE_URL',
    ];
    const keys = ['ORCHESTRATOR_API_KEY', 'EMR_TOKEN', 'STRIPE_SECRET_KEY', 'SHIPPING_API_KEY'];
    const config = loadConfig(
      {
        ...base,
        ...Object.fromEntries([...urls, 'SHIPPING_BASE_URL'].map((name) => [name, 'https://party.test'])),
        ...Object.fromEntries([...keys, 'SHIPPING_API_SECRET'].map((name) => [name, 'k'.repeat(40)])),
        SECRET_ENCRYPTION_KEYS: key('k'),
        ORCHESTRATOR_CODEC_KEYS: key('o'),
        EVENTS_CODEC_KEYS: key('e'),
        ORCHESTRATOR_API_SECRET: 'b7c1'.repeat(10),
        PAYMENT_LINK_SECRET: 'c8d2'.repeat(10),
        ORCHESTRATOR_DATABASE_URL: registry.REGISTRY_DATABASE_URL,
        PRESCRIBER_A: prescriber,
        PRESCRIBER_B: prescriber,
      },
      ['orchestrator'],
    );
    expect(config).toMatchObject({
      RATE_LIMIT_PER_KEY_PER_MINUTE: 600,
      RATE_LIMIT_UNVERIFIED_PER_MINUTE: 600,
    });
    expect(config.service('orchestrator').APPROVE_ANSWER_WITHIN_MS).toBe(120_000);
  });

  it('reads a key ring, the current key first', () => {
    const { REGISTRY_CODEC_KEYS: ring } = loadConfig(registry, ['registry']).service('registry');
    expect(ring.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(faultsOf({ ...registry, REGISTRY_CODEC_KEYS: 'new:c2hvcnQ=' }, ['registry'])).toHaveLength(1);
  });

  it('gives every service a ring of its own, and only the codec server those of all (D90)', () => {
    for (const name of storingServices) {
      const asked = faultsOf({}, [name]).filter((fault) => fault.includes('_CODEC_KEYS'));
      const own = `${name.toUpperCase()}_CODEC_KEYS: is missing`;
      expect(asked.sort()).toEqual(
        name === 'registry' ? [own] : [own, 'EVENTS_CODEC_KEYS: is missing'].sort(),
      );
    }
    const missing = faultsOf({}, ['codec']).filter((fault) => fault.includes('_CODEC_KEYS'));
    expect(missing.sort()).toEqual(
      Object.keys(rings)
        .map((name) => `${name}: is missing`)
        .sort(),
    );
    const { own, events } = loadConfig(codec, ['codec']).codecKeys('codec');
    expect([own.length, events?.length]).toEqual([storingServices.length, 1]);
  });

  it('asks for the secret of admin tokens only where they are checked or made (D90)', () => {
    const asks = (name: ServiceName) => faultsOf({}, [name]).includes('ADMIN_JWT_SECRET: is missing');
    expect(serviceNames.filter((name) => !asks(name))).toEqual(['router', 'orchestrator', 'registry']);
  });

  it('takes addresses and ranges as trusted proxies, nobody by default, and refuses anything else', () => {
    const trusted = (list: string) =>
      loadConfig({ ...registry, TRUSTED_PROXIES: list }, ['registry']).TRUSTED_PROXIES;
    expect(loadConfig(registry, ['registry']).TRUSTED_PROXIES).toEqual([]);
    expect(trusted('10.0.0.0/8,192.0.2.1,2001:db8::/32')).toEqual([
      '10.0.0.0/8',
      '192.0.2.1',
      '2001:db8::/32',
    ]);
    for (const list of ['gateway', '10.0.0.0/33', '0.0.0.0/0', 'true'])
      expect(faultsOf({ ...registry, TRUSTED_PROXIES: list }, ['registry'])).toEqual([
        'TRUSTED_PROXIES: must be comma-separated addresses or CIDR ranges',
      ]);
  });

  it('reads lists with and without blanks around their entries', () => {
    const origins = ' https://a.test, https://b.test ,,https://c.test';
    expect(
      loadConfig({ ...codec, CODEC_ALLOWED_ORIGINS: origins }, ['codec']).service('codec')
        .CODEC_ALLOWED_ORIGINS,
    ).toEqual(['https://a.test', 'https://b.test', 'https://c.test']);
  });

  it.each(['orchestrator', 'https://orchestrator:4002', 'orchestrator:', '::1', 'a:1,b'])(
    'refuses a private host without its port: %s',
    (hosts) => {
      const env = { ...registry, CALLBACK_PRIVATE_HOSTS: hosts };
      expect(faultsOf(env, ['router'])).toContain(
        'CALLBACK_PRIVATE_HOSTS: must be comma-separated host:port entries',
      );
    },
  );

  it('takes private hosts with their ports', () => {
    const env = { ...registry, CALLBACK_PRIVATE_HOSTS: 'Orchestrator:4002, 10.0.0.7:443,[::1]:4002' };
    expect(faultsOf(env, ['router'])).not.toContainEqual(expect.stringContaining('CALLBACK_PRIVATE_HOSTS'));
  });

  it('refuses a secret under 32 bytes', () => {
    expect(faultsOf({ ...registry, ADMIN_JWT_SECRET: 'short' }, ['registry'])).toEqual([
      'ADMIN_JWT_SECRET: must be at least 32 bytes',
    ]);
  });

  it('has production say whether intakes need a proof of their mailbox, which development does without', () => {
    const production = { ...base, NODE_ENV: 'production' };
    const faultsOfProof = (env: NodeJS.ProcessEnv, hosted: Parameters<typeof loadConfig>[1]) =>
      faultsOf(env, hosted).filter((fault) => fault.startsWith('INTAKE_REQUIRE_EMAIL_PROOF'));
    expect(faultsOfProof(production, ['intake'])).toHaveLength(1);
    expect(faultsOfProof({ ...production, INTAKE_REQUIRE_EMAIL_PROOF: 'false' }, ['intake'])).toEqual([]);
    expect(faultsOfProof(production, ['registry'])).toEqual([]);
    expect(faultsOfProof(base, ['intake'])).toEqual([]);
  });

  it('starts production with no sample secret and no sandbox in place of a live pharmacy (D24)', () => {
    const env = {
      ...registry,
      NODE_ENV: 'production',
      ADMIN_JWT_SECRET: 'change-me-change-me-change-me-change-me',
      PHARMACY_A_BASE_URL: 'https://pharmacy.test',
      PHARMACY_A_SANDBOX_BASE_URL: 'https://pharmacy.test',
    };
    const faults = faultsOf(env, ['registry', 'router']);
    expect(faults).toEqual(
      expect.arrayContaining([
        'ADMIN_JWT_SECRET: is a sample value',
        'PHARMACY_A_SANDBOX_BASE_URL: must differ from PHARMACY_A_BASE_URL',
      ]),
    );
  });
});

describe('settings by file', () => {
  const folderWith = async (files: Record<string, string>): Promise<string> => {
    const folder = await emptyFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };

  it('are the files of SECRETS_DIR that are named like settings, less the line break at their end', async () => {
    const SECRETS_DIR = await folderWith({
      EMR_TOKEN: 'token with a blank \n',
      TEMPORAL_API_KEY: 'key',
      SMTP_PASSWORD: '\n',
      'client.key': 'not a setting',
      '..data': 'not one either',
    });
    const env = { SECRETS_DIR, LOG_LEVEL: 'warn' };
    takeSecretFiles(env);
    expect(env).toEqual({
      SECRETS_DIR,
      LOG_LEVEL: 'warn',
      EMR_TOKEN: 'token with a blank ',
      TEMPORAL_API_KEY: 'key',
    });
  });

  it('stop a start, by name only, when the environment says otherwise or there is no folder', async () => {
    const SECRETS_DIR = await folderWith({ EMR_TOKEN: 'one', LOG_LEVEL: 'warn' });
    const taken = () => takeSecretFiles({ SECRETS_DIR, EMR_TOKEN: 'other', LOG_LEVEL: 'warn' });
    expect(taken).toThrow(
      'Invalid configuration:\n  EMR_TOKEN: has different values in the environment and in SECRETS_DIR',
    );
    expect(() => takeSecretFiles({ SECRETS_DIR: '/nowhere' })).toThrow(
      'SECRETS_DIR: is not a readable folder',
    );
  });
});
