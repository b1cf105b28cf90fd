import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { hmacHex } from '../../../platform/crypto/signature.js';
import { type ServiceName, serviceNames } from '../../../platform/service-names.js';
import {
  adminToken,
  call,
  callAs,
  eventually,
  freshTask,
  patientIn,
  sandbox,
  shared,
} from '../../helpers/client.js';
import { credentialsFor, documentedRoutes } from '../../helpers/documented-routes.js';
import { type Door, doorTo } from '../../helpers/door.js';
import { prescription } from '../../helpers/prescription.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';

// Every service in a process of its own, started while neither Temporal nor Postgres can be reached.
const dev = shared();
let temporal: Door;
let postgres: Door;
let api: SecondApi;
/** With a worker beside its API, so not ready before both servers answer. */
let working: Promise<SecondApi>;
let isWorking = false;
let away: DevJson;
let token: string;

beforeAll(async () => {
  const database = new URL(dev.databaseUrl);
  const [host = '', port] = dev.temporal.address.split(':');
  [temporal, postgres] = await Promise.all([
    doorTo(host, Number(port)),
    doorTo(database.hostname, Number(database.port)),
  ]);
  await Promise.all([temporal.shut(), postgres.shut()]);
  database.port = String(postgres.port);
  const settings = {
    DATABASE_URL: database.href,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
    IDP_JWKS_URL: `${dev.sandbox}/idp/jwks.json`,
    IDP_ISSUER: `${dev.sandbox}/idp`,
    LOG_LEVEL: 'silent',
  };
  working = startSecondApi(dev, ['registry'], settings, 'retention');
  void working.then(() => (isWorking = true));
  api = await startSecondApi(dev, serviceNames, settings);
  away = { ...dev, services: api.services };
  token = await adminToken(dev);
});
afterAll(async () => {
  await Promise.all([api.stop(), working.then(({ stop }) => stop())]);
  await Promise.all([temporal.shut(), postgres.shut()]);
});

const emrPatientId = patientIn(dev, 'NY');
const approval = () => ({ taskId: freshTask(), emrPatientId, medication: 'semaglutide' });
const signed = (service: ServiceName, key: string, path: string, body?: unknown) => () =>
  call(away, service, { key, path, ...(body === undefined ? {} : { method: 'POST', body }) });
const asAdmin = (service: ServiceName, path: string, body?: unknown) => () =>
  callAs(away, service, token, { path, ...(body === undefined ? {} : { method: 'POST', body }) });

/** Requests that read rows first. */
const reading = {
  router: signed('router', 'clinic', `/rx/prescriptions/${randomUUID()}`),
  orchestrator: signed('orchestrator', 'approvals', '/orchestrator/refill-schedules'),
  registry: signed('registry', 'registry', '/physicians'),
  intake: asAdmin('intake', '/admin/intake-retries'),
  notification: asAdmin('notification', '/notify/log'),
  organization: asAdmin('organization', '/v1/organizations'),
  patients: asAdmin('patients', '/v1/orphans'),
  bridge: asAdmin('bridge', '/webhook-events'),
  worklist: asAdmin('worklist', '/v1/work-items'),
  codec: asAdmin('codec', '/decode', { payloads: [] }),
};
/** Requests that start a run. */
const beginning = {
  'an approval': signed('orchestrator', 'approvals', '/orchestrator/approve', approval()),
  'a refill check': signed('orchestrator', 'admin', '/orchestrator/refill-check', {}),
  'a submission': signed('router', 'clinic', '/rx/prescriptions/submit', prescription()),
  'a message': signed('notification', 'notifier', '/notify/send', {
    type: 'prescription_approved',
    recipient: { email: 'pat@example.test' },
    variables: { patientName: 'Pat', medication: 'Semaglutide' },
  }),
  'an organization': asAdmin('organization', '/v1/organizations', {
    slug: `t-${randomUUID()}`,
    displayName: 'Clinic',
    kind: 'b2b',
  }),
};

const isCoded = (service: ServiceName) =>
  ['organization', 'patients', 'bridge', 'worklist'].includes(service);
const refusalOf = (service: ServiceName) =>
  isCoded(service)
    ? { error: 'unavailable', message: 'Temporarily unavailable' }
    : { error: 'Temporarily unavailable' };

/** Every answer of a service while Postgres is away; the codec server hears of it from the organization service. */
async function expectAllUnavailable(): Promise<void> {
  for (const service of serviceNames) {
    const { status, headers, body } = await reading[service]();
    expect([service, status, headers.get('retry-after')]).toEqual([
      service,
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    if (service !== 'codec') expect([service, body]).toEqual([service, refusalOf(service)]);
  }
}
const readiness = () =>
  Promise.all(Object.values(away.services).map(async (url) => (await fetch(`${url}/ready`)).status));
const storing = serviceNames.filter((name) => name !== 'codec');

test('a process of APIs starts without Temporal and Postgres: it lives, is not ready, and says 503 with Retry-After', async () => {
  const health = await fetch(`${away.services.orchestrator}/health`);
  expect(health.status).toBe(200);
  for (const service of storing)
    expect([service, (await fetch(`${away.services[service]}/ready`)).status]).toEqual([service, 503]);
  await expectAllUnavailable();
});

/** What reaches the database or another service, where nobody has to say who calls. */
const unsigned = {
  '/verify-email/send': { email: 'ada@patients.test' },
  '/verify-email/check': { email: 'ada@patients.test', code: '123456' },
  '/pay': { token: 'guess' },
  '/pay/session': { token: 'guess' },
  '/v1/auth/otp/send': { email: 'ada@clinic.test' },
  '/orchestrator/webhooks/stripe': {
    ...{ id: 'evt_1', object: 'event', type: 'charge.refunded' },
    data: { object: { id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 100, metadata: {} } },
  },
} as Readonly<Record<string, object>>;
/** They say so in another way. */
const others = ['/orchestrator/refill-check', '/ready'];

test('each route that documents it answers 503 with Retry-After, whatever it is asked', async () => {
  const identity = { sub: randomUUID(), email: 'ada@clinic.test', claims: {} };
  const exchanged = await sandbox<object>(dev, '/idp/tokens', { method: 'POST', body: identity });
  const found: string[] = [];
  for (const route of await documentedRoutes(dev, storing)) {
    if (!('503' in route.responses) || others.includes(route.template)) continue;
    const asked = route.template === '/v1/auth/exchange' ? exchanged : (unsigned[route.template] ?? {});
    const body = route.method === 'GET' ? '' : JSON.stringify(asked);
    const url = new URL(away.services[route.service] + route.path);
    if (route.template === '/v1/public/resolve') url.searchParams.set('hostname', 'care.example.test');
    const answer = await fetch(url, {
      method: route.method,
      headers: {
        ...credentialsFor(dev, token, route, body),
        'stripe-signature': stripeSignature(body),
        ...(body !== '' && { 'content-type': 'application/json' }),
      },
      ...(body !== '' && { body }),
    });
    const { status, headers } = answer;
    if (status !== 503 || headers.get('error-code') !== 'unavailable' || !headers.has('retry-after'))
      found.push(`${route.service} ${route.method} ${route.template}: ${status} ${await answer.text()}`);
  }
  expect(found).toEqual([]);
});

function stripeSignature(body: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  return `t=${seconds},v1=${hmacHex(dev.webhookSecrets.stripe, `${seconds}.${body}`)}`;
}

describe('with Temporal away', () => {
  beforeAll(async () => {
    await postgres.open();
    await eventually(async () => (await reading.router()).status === 404);
  });

  test.each(Object.keys(beginning) as (keyof typeof beginning)[])(
    'what begins %s answers 503 with Retry-After, and what only reads answers',
    async (what) => {
      const { status, headers, body } = await beginning[what]();
      expect([status, headers.get('retry-after'), body]).toEqual([
        503,
        '10',
        refusalOf(what === 'an organization' ? 'organization' : 'orchestrator'),
      ]);
      expect((await reading.orchestrator()).status).toBe(200);
    },
  );
});

test('once both answer, everything does, and workers that have waited for them poll', async () => {
  const visits = postgres.visits();
  expect([visits > 0, isWorking]).toEqual([true, false]);
  await temporal.open();
  await working;
  await eventually(async () => (await readiness()).every((status) => status === 200));
  const { status, body } = await beginning['an approval']();
  expect([status, body]).toMatchObject([200, { success: true }]);
});

describe('with Postgres gone again', () => {
  beforeAll(async () => {
    await postgres.shut();
  });

  test('every service answers 503 with Retry-After, whatever the driver calls it', async () => {
    await expectAllUnavailable();
    await expectAllUnavailable();
  });

  test.each([
    [
      'the status of a task',
      signed('orchestrator', 'approvals', '/orchestrator/status/no-task'),
      /^Internal error$/,
    ],
    ['a refill check', signed('orchestrator', 'admin', '/orchestrator/refill-check', {}), /^Internal error$/],
    ['the plans of an intake', signed('intake', 'clinic', '/plans'), /^Failed to load plans$/],
  ])('%s keeps the 500 of its page', async (_what, ask, text) => {
    const { status, body } = await ask();
    expect([status, body['error']]).toEqual([500, expect.stringMatching(text)]);
  });
});
