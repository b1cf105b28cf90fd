import { describe, expect, test } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe as describeSystem } from '../../dev/start/describe.js';
import {
  addressesOf,
  type Plan,
  productEnvironment,
  sandboxEnvironment,
} from '../../dev/start/environment.js';
import { personalSettings } from '../../dev/start/personal-settings.js';
import { freePorts, neededPorts, portsFrom, requireFreePorts, type Settings } from '../../dev/start/ports.js';
import { loadSecrets, makeSecrets } from '../../dev/start/secrets.js';
import { startSystem } from '../../dev/start/system.js';
import { temporalSpec } from '../../dev/start/temporal.js';
import { loadConfig, variableNames } from '../../platform/config.js';
import { serviceNames } from '../../platform/service-names.js';
import { emptyFolder, messageOf } from './helpers.js';

const planOf = (settings: Settings = {}): Plan => ({
  host: settings['HOST'] ?? '127.0.0.1',
  ports: portsFrom(settings),
  secrets: makeSecrets(),
  sandboxDataDir: '/data',
  settings,
});

describe('ports', () => {
  test('are those of D1, moved together by PORT_BASE, Temporal apart', () => {
    expect(portsFrom({})).toMatchObject({
      router: 4001,
      orchestrator: 4002,
      registry: 4003,
      intake: 4004,
      notification: 4005,
      organization: 4006,
      patients: 4007,
      bridge: 4008,
      codec: 4009,
      worklist: 4010,
      sandbox: 4100,
      smtp: 4125,
      tls: 4144,
      dns: 4153,
      postgres: 4432,
      temporal: 7233,
      temporalUi: 8233,
    });
    expect(portsFrom({ PORT_BASE: '5000' })).toMatchObject({
      router: 5001,
      smtp: 5125,
      postgres: 5432,
      temporal: 7233,
    });
  });

  test('are set one by one by their own variables', () => {
    const ports = portsFrom({ REGISTRY_PORT: '9999', TEMPORAL_UI_PORT: '9998' });
    expect(ports).toMatchObject({ registry: 9999, temporalUi: 9998, router: 4001 });
  });

  test('refuse a variable that holds no port number, by name', () => {
    expect(() => portsFrom({ ROUTER_PORT: 'many' })).toThrow(
      'ROUTER_PORT is set to many, which is not a port number.',
    );
  });

  test('that are in use stop a start with the port, its use and the variable that moves it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const ports = { ...(await freePorts('127.0.0.1')), registry: port };
    const message = await messageOf(
      requireFreePorts(ports, neededPorts({ temporal: false, postgres: false }), '127.0.0.1'),
    );
    expect(message).toContain(`port ${port} for the registry service (REGISTRY_PORT);`);
    other.close();
    await once(other, 'close');
    await requireFreePorts(ports, ['registry'], '127.0.0.1');
  });

  test('are asked for as they will be used: a name server takes datagrams', async () => {
    const host = '127.0.0.1';
    const other = createSocket('udp4').bind(0, host);
    await once(other, 'listening');
    const ports = { ...(await freePorts(host)), dns: other.address().port };
    expect(await messageOf(requireFreePorts(ports, ['dns'], host))).toContain(
      `port ${ports.dns} for the sandbox's name server (SANDBOX_DNS_PORT);`,
    );
    await requireFreePorts({ ...ports, tls: ports.dns }, ['tls'], host);
    other.close();
    await once(other, 'close');
    await requireFreePorts(ports, ['dns'], host);
  });

  test('of servers that are used and not started are not asked for', () => {
    const needed = neededPorts({ temporal: true, postgres: true });
    expect(needed).not.toEqual(expect.arrayContaining(['temporal']));
    expect(needed).not.toEqual(expect.arrayContaining(['temporalUi']));
    expect(needed).not.toEqual(expect.arrayContaining(['postgres']));
    expect(needed).toEqual(expect.arrayContaining(['router', 'sandbox']));
  });
});

describe('the environment of the product', () => {
  test('is complete: its configuration accepts it for every service', () => {
    const config = loadConfig(productEnvironment(planOf()), serviceNames);
    expect(config.ports).toMatchObject({ router: 4001, codec: 4009 });
    for (const name of serviceNames) expect(config.service(name).NODE_ENV).toBe('development');
  });

  test('never holds the database of the superuser, and one of its own for every service but the codec', () => {
    const plan = planOf({ DATABASE_URL: 'postgres://owner:secret@db.test:5555/rx' });
    const product = productEnvironment(plan);
    expect(product).not.toHaveProperty('DATABASE_URL');
    expect(product).not.toHaveProperty('CODEC_DATABASE_URL');
    const { routerDatabasePassword } = plan.secrets;
    expect(product['ROUTER_DATABASE_URL']).toBe(
      `postgres://scriptrail_router:${routerDatabasePassword}@db.test:5555/rx`,
    );
    expect(Object.values(product).join()).not.toContain('secret@');
  });

  test('agrees with the sandbox on every secret that they share', () => {
    const plan = planOf();
    const product = productEnvironment(plan);
    const sandbox = sandboxEnvironment(plan);
    const shared = Object.entries(sandbox).filter(([name]) =>
      /(TOKEN|KEY|SECRET|_ID|_SID|_ISSUER|_AUDIENCE)$/.test(name),
    );
    expect(shared).toHaveLength(16);
    for (const [name, value] of shared)
      expect([name, product[name.replace('SANDBOX_', '')]]).toEqual([name, value]);
    expect(sandbox).toMatchObject({
      SANDBOX_PORT: '4100',
      SANDBOX_ROUTER_URL: product['ROUTER_URL'],
      SANDBOX_ORCHESTRATOR_URL: product['ORCHESTRATOR_URL'],
    });
    const dev = describeSystem(
      plan,
      { apiKeys: {}, patients: [] },
      {
        split: false,
        pids: { sandbox: 1, api: 2, workers: 2 },
      },
    );
    expect(dev.webhookSecrets.stripe).toBe(product['STRIPE_WEBHOOK_SECRET']);
  });

  test('finds custom domains in the sandbox: its name server, its TLS port, its authority', () => {
    const plan = planOf({ PORT_BASE: '5000' });
    expect(productEnvironment(plan)).toMatchObject({
      DNS_SERVERS: '127.0.0.1:5153',
      DOMAIN_TLS_PORT: '5144',
      DOMAIN_TLS_CA: '/data/tls-ca.pem',
    });
    expect(sandboxEnvironment(plan)).toMatchObject({
      SANDBOX_DNS_PORT: '5153',
      SANDBOX_TLS_PORT: '5144',
      SANDBOX_DATA_DIR: '/data',
    });
  });

  test('gives the pharmacies another address for test orders than for live ones', () => {
    const product = productEnvironment(planOf());
    expect(product['PHARMACY_A_BASE_URL']).not.toBe(product['PHARMACY_A_SANDBOX_BASE_URL']);
    expect(product['PHARMACY_B_BASE_URL']).not.toBe(product['PHARMACY_B_SANDBOX_BASE_URL']);
  });

  test('takes what is set by a person over what is composed, and never a port twice', () => {
    const product = productEnvironment(
      planOf({ LOG_LEVEL: 'debug', TEMPORAL_ADDRESS: 't.test:7', ROUTER_PORT: '5001' }),
    );
    expect(product).toMatchObject({
      LOG_LEVEL: 'debug',
      TEMPORAL_ADDRESS: 't.test:7',
      ROUTER_PORT: '5001',
      ROUTER_URL: 'http://127.0.0.1:5001',
    });
  });

  test("has an outside party's address where a person gives one, and its key with it only", () => {
    const given = {
      STRIPE_API_BASE: 'http://127.0.0.1:12111',
      STRIPE_SECRET_KEY: 'sk_test_foreign',
      SMTP_HOST: 'mail.test',
      SMTP_PORT: '2525',
      EMR_TOKEN: 'lies about in the shell',
      TWILIO_AUTH_TOKEN: 'too',
    };
    const plan = planOf(personalSettings({ ...given, PATH: '/bin', ROUTER_PORT: '5001' }));
    const product = productEnvironment(plan);
    expect(product).toMatchObject({
      STRIPE_API_BASE: 'http://127.0.0.1:12111',
      STRIPE_SECRET_KEY: 'sk_test_foreign',
      SMTP_HOST: 'mail.test',
      SMTP_PORT: '2525',
      EMR_BASE_URL: 'http://127.0.0.1:4100/fhir/R4',
      EMR_TOKEN: plan.secrets.emrToken,
      TWILIO_AUTH_TOKEN: plan.secrets.twilioAuthToken,
      ROUTER_PORT: '5001',
    });
    expect(
      describeSystem(
        plan,
        { apiKeys: {}, patients: [] },
        { split: false, pids: { sandbox: 1, api: 2, workers: 2 } },
      ).stripe,
    ).toMatchObject({
      apiBase: 'http://127.0.0.1:12111',
      secretKey: 'sk_test_foreign',
    });
    expect(sandboxEnvironment(plan)['SANDBOX_STRIPE_SECRET_KEY']).toBe(plan.secrets.stripeSecretKey);
  });

  test('has the settings of the year of care as a person gives them, which are shown with their defaults', () => {
    const given = { RECEIPTS: '1', REFILL_NOTICE_DAYS: '03', INTAKE_REQUIRE_EMAIL_PROOF: 'true' };
    const plan = planOf(personalSettings({ ...given, APPROVE_ANSWER_WITHIN_MS: '1' }));
    expect(productEnvironment(plan)).toMatchObject(given);
    expect(loadConfig(productEnvironment(plan), serviceNames).service('orchestrator')).toMatchObject({
      RECEIPTS: true,
      REFILL_NOTICE_DAYS: 3,
      APPROVE_ANSWER_WITHIN_MS: 120_000,
    });
    const pids = { sandbox: 1, api: 2, workers: 2 };
    const shownOf = (plan: Plan) =>
      describeSystem(plan, { apiKeys: {}, patients: [] }, { split: false, pids }).settings;
    expect(shownOf(plan)).toMatchObject({
      RECEIPTS: 'true',
      REFILL_NOTICE_DAYS: '3',
      INTAKE_REQUIRE_EMAIL_PROOF: 'true',
    });
    const shown = shownOf(planOf());
    expect(shown).toMatchObject({
      RECEIPTS: 'false',
      REFILL_NOTICE_DAYS: '0',
      INTAKE_REQUIRE_EMAIL_PROOF: 'false',
      EMR_CONSENT_EXTENSION: 'http://schemas.canvasmedical.com/fhir/extensions/has-consent',
    });
    expect(Object.keys(shown).filter((name) => !variableNames.includes(name))).toEqual([]);
  });

  test('takes no live key of the payment processor', () => {
    expect(() =>
      personalSettings({ STRIPE_API_BASE: 'https://api.stripe.com', STRIPE_SECRET_KEY: 'sk_live_1' }),
    ).toThrow('STRIPE_SECRET_KEY is a live key');
  });

  test('calls by loopback what is bound to all addresses', () => {
    const plan = planOf({ HOST: '0.0.0.0' });
    expect(productEnvironment(plan)['HOST']).toBe('0.0.0.0');
    expect(addressesOf(plan).services.router).toBe('http://127.0.0.1:4001');
  });

  test('lets the Web UI, and only it, ask the codec server', () => {
    const plan = planOf();
    expect(productEnvironment(plan)['CODEC_ALLOWED_ORIGINS']).toBe(
      'http://127.0.0.1:8233,http://localhost:8233',
    );
    expect(addressesOf(plan).codecEndpoint).toBe(`http://127.0.0.1:4009/${plan.secrets.codecPathToken}`);
  });
});

describe('a start', () => {
  test('is refused on an address that is not loopback, before anything runs, unless that is meant (D89)', async () => {
    const stateDir = await emptyFolder();
    const env = { HOST: '0.0.0.0' };
    const message = await messageOf(startSystem({ stateDir, env, quiet: true }));
    expect(message).toContain('HOST: must be a loopback address outside production');
    const begun = ['postgres', 'temporal', 'sandbox', 'secrets.json'];
    expect(readdirSync(stateDir).filter((name) => begun.includes(name))).toEqual([]);
  });

  test("keeps Temporal's database where only its owner goes", async () => {
    const databaseFile = join(await emptyFolder(), 'temporal', 'temporal.db');
    const ports = { host: '127.0.0.1', port: 1, uiPort: 2 };
    temporalSpec({ cli: 'temporal', databaseFile, ...ports, codecEndpoint: 'http://127.0.0.1:3' });
    expect(statSync(join(databaseFile, '..')).mode & 0o777).toBe(0o700);
  });
});

describe('secrets', () => {
  test('are made once, readable by their owner only, and kept from start to start', async () => {
    const stateDir = await emptyFolder();
    const first = loadSecrets(stateDir);
    expect(statSync(join(stateDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(loadSecrets(stateDir)).toEqual(first);
    expect(loadSecrets(await emptyFolder()).idHashSecret).not.toBe(first.idHashSecret);
  });

  test('that a newer version needs are added to those kept', async () => {
    const stateDir = await emptyFolder();
    const before = { emrToken: 'kept' };
    writeFileSync(join(stateDir, 'secrets.json'), JSON.stringify(before));
    const secrets = loadSecrets(stateDir);
    expect(secrets).toMatchObject(before);
    expect(secrets.shippingApiSecret).toHaveLength(64);
    expect(loadSecrets(stateDir)).toEqual(secrets);
  });
});
