import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DevJson, defaultStateDir } from '../../dev/dev-json.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { createSql, type Sql } from '../../db/client.js';
import { timestampedSignature } from '../../platform/crypto/signature.js';
import { issuePaymentLink } from '../../platform/crypto/payment-link.js';
import { call, freshTask, patientIn, shared } from '../helpers/client.js';
import { freshSignature } from '../helpers/png.js';
import { type SecondApi, startSecondApi } from '../helpers/second-api.js';
import { openApiOf, operationsOf } from '../helpers/openapi.js';
import { prescription } from '../helpers/prescription.js';

// Services whose database knows their clients and refuses everything else: a failure that nobody foresaw.
const names = ['router', 'orchestrator', 'registry'] as const;
type Name = (typeof names)[number];
const dev = shared();
const role = `blind_${randomBytes(6).toString('hex')}`;
let sql: Sql;
let api: SecondApi | undefined;
let blind: DevJson;

beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await sql.unsafe(`
    create role ${role} login password 'blind';
    grant usage on schema access to ${role};
    grant select, update on access.api_key to ${role};
    grant select on access.api_key_secret to ${role};
    create policy ${role} on access.api_key_secret for select to ${role} using (true);
  `);
  const url = new URL(dev.databaseUrl);
  Object.assign(url, { username: role, password: 'blind' });
  const databases = names.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, url.href] as const);
  api = await startSecondApi(dev, names, { ...Object.fromEntries(databases), LOG_LEVEL: 'silent' });
  blind = { ...dev, services: { ...dev.services, ...api.services } };
});
afterAll(async () => {
  await api?.stop();
  await sql.unsafe(`drop policy ${role} on access.api_key_secret; drop owned by ${role}; drop role ${role}`);
  await sql.end();
});

const id = randomUUID();
const emrPatientId = patientIn(dev, 'NY');
const order = { taskId: freshTask(), emrPatientId, medication: 'semaglutide' };
const physician = { firstName: 'Sam', lastName: 'Ito', npi: '1000000020' };
const signatureImage = `data:image/png;base64,${freshSignature().toString('base64')}`;
const [hourAgo, now] = [Date.now() - 3_600_000, Date.now()].map((at) => new Date(at).toISOString());
const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const persons = { answer: 'dismiss', by: 'ada@clinic.test' };
const token = await issuePaymentLink(loadSecrets(defaultStateDir()).paymentLinkSecret, {
  reference: freshTask(),
  endsAt: Date.now() + 3_600_000,
});
const rule = { platform: 'platform_b', state: 'NY', physicianId: id, priority: 1 };

interface Asked {
  service: Name;
  method: string;
  path: string;
  key?: string;
  body?: unknown;
}
const listed = (
  service: Name,
  key: string,
  routes: [method: string, path: string, body?: unknown][],
): Asked[] => routes.map(([method, path, body]) => ({ service, key, method, path, body }));

/** Every signed route, with what its contract lets through. */
const signed: Asked[] = [
  ...listed('router', 'admin', [
    ['POST', '/rx/prescriptions/submit', prescription()],
    ['GET', '/rx/prescriptions'],
    ['GET', `/rx/prescriptions/${id}`],
    ['GET', `/rx/prescriptions/${id}/callbacks`],
    ['POST', `/rx/prescriptions/${id}/callbacks/${id}/redeliver`],
    ['GET', '/rx/route?state=NY&medication=semaglutide'],
    ['GET', '/rx/routing'],
    ['GET', '/rx/routing/OK'],
    ['PUT', '/rx/routing/OK', { pharmacy: 'pharmacy_b', priority: 1, isActive: false }],
    ['GET', `/rx/prescriptions/${id}/pharmacies/pharmacy_a`],
    ['POST', `/rx/prescriptions/${id}/cancel`],
    ['POST', `/rx/prescriptions/${id}/missing`],
    ['POST', `/rx/prescriptions/${id}/holds/${id}/answer`, { answer: 'proceed' }],
    ['GET', '/rx/pharmacies/scorecard'],
    ['GET', '/rx/catalog'],
    ['GET', '/rx/webhooks'],
    [
      'GET',
      '/rx/shipped-orders?pharmacy=pharmacy_a&shippedFrom=2001-02-03T00:00:00Z&shippedTo=2001-02-04T00:00:00Z',
    ],
    ['POST', '/rx/shipped-orders/find', { pharmacy: 'pharmacy_a', pharmacyOrderIds: ['case_1'] }],
    ['PUT', '/rx/catalog/pharmacy_a', { match: 'placebo', article: '1' }],
    ['DELETE', '/rx/catalog/pharmacy_a?match=placebo'],
    ['POST', '/rx/timeline', { references: [freshTask()] }],
    ['POST', `/rx/work-items/${id}/answer`, persons],
    ['GET', `/rx/work-items/context/${id}`],
    ['POST', '/rx/search', { q: freshTask() }],
  ]),
  ...listed('orchestrator', 'approvals', [
    ['POST', '/orchestrator/approve', order],
    ['POST', '/orchestrator/preflight', order],
    ['POST', '/orchestrator/deny', { ...order, denialReason: 'Not suitable' }],
    ['GET', `/orchestrator/status/${freshTask()}`],
    ['POST', '/orchestrator/refill-check', {}],
    ['GET', '/orchestrator/refill-schedules'],
    [
      'POST',
      '/orchestrator/refill-schedules',
      { emrPatientId, medication: 'semaglutide', totalRefillsAllowed: 3 },
    ],
    ['GET', `/orchestrator/refill-schedules/${id}`],
    ['POST', `/orchestrator/refill-schedules/${id}/pause`],
    ['POST', `/orchestrator/refill-schedules/${id}/resume`],
    ['POST', `/orchestrator/refill-schedules/${id}/cancel`],
    ['POST', `/orchestrator/refill-schedules/${id}/skip`],
    ['POST', `/orchestrator/refill-schedules/${id}/move`, { nextFillDate: day }],
    ['POST', `/orchestrator/refill-schedules/${id}/ship-to`, { shipTo: null }],
    ['PATCH', `/orchestrator/refill-schedules/${id}`, { quantity: 1 }],
    ['GET', '/orchestrator/plans'],
    [
      'POST',
      '/orchestrator/plans',
      {
        planRef: 'p-1',
        emrPatientId,
        treatment: 'weight',
        phases: [{ medication: 'semaglutide', fills: 1 }],
      },
    ],
    ['GET', `/orchestrator/plans/${id}`],
    ['GET', `/orchestrator/plans/${id}/check-ins/${id}`],
    ['POST', `/orchestrator/plans/${id}/pause`],
    ['POST', `/orchestrator/plans/${id}/resume`],
    ['POST', `/orchestrator/plans/${id}/stop`, { reason: 'Moved' }],
    ['POST', `/orchestrator/plans/${id}/check-ins`, { answers: {} }],
    ['POST', `/orchestrator/plans/${id}/decisions`, { phase: 1, by: 'Dr. Hart' }],
    ['POST', `/orchestrator/plans/${id}/renew`, { prescribedUntil: day, by: 'Dr. Hart' }],
    ['GET', '/orchestrator/runs'],
    ['POST', `/orchestrator/payments/${freshTask()}/retry`],
    ['GET', '/orchestrator/payment-recoveries'],
    ['GET', '/orchestrator/medications'],
    ['GET', '/orchestrator/clock'],
    ['GET', '/orchestrator/events'],
    ['GET', '/orchestrator/event-endpoint'],
    ['PUT', '/orchestrator/event-endpoint', { url: 'https://receiver.example/events' }],
    ['DELETE', '/orchestrator/event-endpoint'],
    ['POST', '/orchestrator/event-endpoint/rewind', { after: 0 }],
    ['POST', '/orchestrator/event-endpoint/test'],
    ['POST', '/orchestrator/cancel', { taskId: freshTask(), reason: 'Taken back' }],
    ['POST', '/orchestrator/reroute', { taskId: freshTask(), pharmacy: 'pharmacy_a' }],
    ['POST', '/orchestrator/refunds', { taskId: freshTask(), reason: 'Late' }],
    ['POST', '/orchestrator/send-again', { taskId: freshTask() }],
    ['POST', '/orchestrator/replacements', { taskId: freshTask(), reason: 'lost', paidBy: 'carrier' }],
  ]),
  ...listed('orchestrator', 'admin', [
    [
      'PUT',
      '/orchestrator/medications/placebo',
      { displayName: 'Placebo', sig: 'daily', quantity: '1', priceCents: 100 },
    ],
    ['DELETE', '/orchestrator/medications/placebo'],
    ['POST', '/orchestrator/closes', { date: '2001-02-03' }],
    ['GET', '/orchestrator/closes'],
    ['GET', '/orchestrator/closes/2001-02-03'],
    ['GET', '/orchestrator/closes/2001-02-03/lines'],
    ['POST', `/orchestrator/closes/2001-02-03/lines/${id}/settle`, { answer: 'accept' }],
    [
      'POST',
      '/orchestrator/statements?pharmacy=pharmacy_a',
      { from: '2001-02-03', to: '2001-02-03', lines: [] },
    ],
    ['GET', '/orchestrator/statements'],
    ['GET', `/orchestrator/statements/${id}`],
    ['DELETE', `/orchestrator/statements/${id}`],
    ['GET', `/orchestrator/statements/${id}/lines`],
    ['POST', `/orchestrator/statements/${id}/lines/${id}/settle`, { answer: 'accept' }],
    ['GET', '/orchestrator/prices'],
    ['PUT', '/orchestrator/prices/pharmacy_a/12565', { cents: 8_000, from: '2001-02-03' }],
    ['GET', '/orchestrator/months/2001-02'],
    ['PUT', '/orchestrator/clock', { today: null }],
    ['POST', '/orchestrator/payment-links/read', { token }],
    ['POST', '/orchestrator/payment-links/session', { token }],
    ['POST', '/orchestrator/payment-links/pay', { token }],
    ['POST', `/orchestrator/work-items/${id}/answer`, persons],
    ['GET', `/orchestrator/work-items/context/${freshTask()}`],
    ['GET', `/orchestrator/work-items/books/${id}`],
    ['GET', `/orchestrator/orders/${freshTask()}`],
    ['GET', '/orchestrator/work-items/event-endpoint'],
    ['POST', '/orchestrator/search', { q: freshTask(), emrPatientIds: [], orders: [] }],
    ['GET', `/orchestrator/timeline/${freshTask()}`],
    ['POST', '/orchestrator/recoveries', { step: 'payment', from: hourAgo, to: now }],
    ['GET', `/orchestrator/recoveries/${id}`],
    ['POST', `/orchestrator/recoveries/${id}/cancel`],
  ]),
  ...listed('registry', 'physician_a', [
    ['GET', '/route?platform=platform_a&state=NY'],
    ['GET', '/physicians'],
    ['GET', `/physicians/${id}`],
    ['GET', `/physicians/${id}/licenses`],
    ['GET', `/physicians/${id}/verify-license?state=NY`],
    ['GET', '/physicians/me'],
    ['PUT', '/physicians/me', {}],
    ['POST', '/physicians/me/signature', { signatureImage }],
  ]),
  ...listed('registry', 'admin', [
    ['POST', '/physicians', physician],
    ['PUT', `/physicians/${id}`, physician],
    ['DELETE', `/physicians/${id}`],
    ['POST', `/physicians/${id}/reactivate`],
    ['POST', `/physicians/${id}/licenses`, { state: 'NY', licenseNumber: 'NY-1' }],
    ['PUT', `/physicians/${id}/licenses/${id}`, { licenseNumber: 'NY-2' }],
    ['DELETE', `/physicians/${id}/licenses/${id}`],
    ['GET', '/routing-rules'],
    ['POST', '/routing-rules', rule],
    ['PUT', `/routing-rules/${id}`, rule],
    ['DELETE', `/routing-rules/${id}`],
  ]),
];
const unsigned: Asked[] = [
  {
    service: 'router',
    method: 'POST',
    path: '/rx/webhooks/pharmacy_a',
    body: { caseId: id, rxStatus: 'shipped' },
  },
  {
    service: 'router',
    method: 'POST',
    path: '/rx/webhooks/pharmacy_b',
    body: { tracking_id: id, rxstatus: 'shipped' },
  },
  {
    service: 'orchestrator',
    method: 'POST',
    path: '/api/pharmacy-router/callback',
    body: {
      submissionId: id,
      sourceOrderId: freshTask(),
      pharmacy: 'pharmacy_a',
      status: 'shipped',
      pharmacyOrderId: 'case_1',
      trackingNumber: null,
      carrier: null,
    },
  },
  {
    service: 'orchestrator',
    method: 'POST',
    path: '/orchestrator/webhooks/stripe',
    body: {
      id: 'evt_1',
      object: 'event',
      type: 'charge.refunded',
      data: { object: { id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 100, metadata: {} } },
    },
  },
];
/** As the processor signs. */
function stripeSignature(body: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', dev.webhookSecrets.stripe).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}
const named = (routes: Asked[]) =>
  routes.map((route) => [`${route.method} ${route.path} of the ${route.service}`, route] as const);
const internal = [500, { error: 'Internal error', requestId: expect.any(String) }];

describe('a failure that nobody foresaw', () => {
  test.each(named(signed))(
    '500: %s says no more than the request id',
    async (_name, { service, ...asked }) => {
      const answer = await call(blind, service, asked);
      expect([answer.status, answer.body]).toEqual(internal);
      expect(answer.body['requestId']).toBe(answer.headers.get('x-request-id'));
    },
  );

  test.each(named(unsigned))('500: %s says no more than the request id', async (_name, asked) => {
    const body = JSON.stringify(asked.body);
    const response = await fetch(blind.services[asked.service] + asked.path, {
      method: asked.method,
      headers: {
        'content-type': 'application/json',
        'x-webhook-secret': dev.webhookSecrets[asked.path.endsWith('_a') ? 'pharmacy_a' : 'pharmacy_b'],
        'stripe-signature': stripeSignature(body),
        ...timestampedSignature(loadSecrets(defaultStateDir()).orchestratorApiSecret, body),
      },
      body,
    });
    expect([response.status, await response.json()]).toEqual(internal);
  });

  test.each(names)('every route of the %s that documents it is asked', async (service) => {
    const documented = operationsOf(await openApiOf(dev, service)).filter(
      ({ responses }) => '500' in responses,
    );
    const asked = [...signed, ...unsigned].filter((route) => route.service === service);
    /** The closest pattern: `/physicians/me` is not `/physicians/{id}`. */
    const patternOf = ({ method, path }: Asked): string | undefined =>
      documented
        .filter((route) => route.method === method.toLowerCase())
        .sort((a, b) => placeholdersIn(a.path) - placeholdersIn(b.path))
        .find((route) => asPattern(route.path).test(path.split('?')[0] ?? ''))?.name;
    expect(asked.map(patternOf).sort()).toEqual(documented.map(({ name }) => name).sort());
  });
});

const ofNobody = signed.filter(({ service, path }) => service !== 'registry' && /\/[0-9a-f-]{36}/.test(path));
test.each(named(ofNobody))('404: %s of an id that nobody has', async (_name, { service, ...asked }) => {
  expect((await call(dev, service, asked)).status).toBe(404);
});

const placeholdersIn = (path: string): number => path.split('{').length;
const asPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

describe('GET /ready', () => {
  const ready = async (service: Name) => {
    const response = await fetch(`${blind.services[service]}/ready`);
    return [response.status, await response.json()];
  };

  test.each(names)(
    '200 of the %s while the database lets it in, whatever it may do there',
    async (service) => {
      const checks = { postgres: 'ok', temporal: 'ok' };
      expect(await ready(service)).toEqual([200, { status: 'ok', checks }]);
    },
  );

  test('503 of each with the check that failed, once the database lets it in no more', async () => {
    await sql.unsafe(`
      alter role ${role} nologin;
      select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}';
    `);
    for (const service of names) {
      const checks = { postgres: 'failed', temporal: 'ok' };
      expect(await ready(service)).toEqual([503, { status: 'failed', checks }]);
    }
  });
});
