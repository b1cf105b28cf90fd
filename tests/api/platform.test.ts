import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { services } from '../../api/services.js';
import type { ServiceName } from '../../platform/service-names.js';
import { call, patientIn, shared } from '../helpers/client.js';
import { approve, callsTo, semaglutideFor, submissionIdOf } from './orchestrator/approvals.js';
import { openApiOf, operationsOf } from '../helpers/openapi.js';

const dev = shared();
const get = (service: ServiceName, path: string) => fetch(dev.services[service] + path);
const getJson = async (service: ServiceName, path: string) => {
  const response = await get(service, path);
  return [response.status, await response.json()];
};

const health: [ServiceName, string, string][] = [
  ['router', '/rx/health', 'pharmacy-router'],
  ['orchestrator', '/health', 'prescription-orchestrator'],
  ['orchestrator', '/orchestrator/health', 'prescription-orchestrator'],
  ['registry', '/health', 'physician-registry'],
  ['intake', '/health', 'intake-gateway'],
  ['notification', '/notify/health', 'notification-service'],
  ['organization', '/health', 'organization-service'],
  ['organization', '/v1/health', 'organization-service'],
  ['patients', '/health', 'patient-directory'],
  ['patients', '/v1/health', 'patient-directory'],
  ['bridge', '/health', 'emr-bridge'],
  ['bridge', '/v1/health', 'emr-bridge'],
  ['worklist', '/health', 'worklist'],
  ['worklist', '/v1/health', 'worklist'],
  ['codec', '/health', 'codec-server'],
];
const names = Object.keys(services) as ServiceName[];
/** Routes of the finished services that must be documented; a service may list more. */
const routes: Partial<Record<ServiceName, string[]>> = {
  router: ['post /rx/prescriptions/submit', 'get /rx/prescriptions/{id}', 'get /rx/health', 'get /ready'],
  orchestrator: [
    'post /orchestrator/approve',
    'get /orchestrator/status/{taskId}',
    'get /health',
    'get /orchestrator/health',
    'get /ready',
  ],
  registry: ['get /route', 'get /physicians', 'get /physicians/{id}', 'get /physicians/{id}/verify-license'],
  notification: [
    'post /notify/send',
    'get /notify/templates',
    'get /notify/templates/{type}',
    'put /notify/templates/{type}',
    'get /notify/templates/{type}/versions',
    'post /notify/templates/{type}/preview',
    'post /notify/templates/{type}/test',
    'get /notify/channels',
    'put /notify/channels/{type}',
    'get /notify/log',
    'get /notify/health',
  ],
};

test.each(health)('%s answers GET %s with the name %s and the time', async (service, path, name) => {
  const before = Date.now();
  const [status, body] = await getJson(service, path);
  expect([status, body]).toEqual([200, { status: 'ok', service: name, timestamp: expect.any(String) }]);
  const { timestamp } = body as { timestamp: string };
  expect(new Date(timestamp).toISOString()).toBe(timestamp);
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before - 1);
});

describe.each(names)('%s', (service) => {
  const isCoded = ['organization', 'patients', 'bridge', 'worklist'].includes(service);

  test('GET /ready: 200 with a check of each thing it depends on', async () => {
    const checks = service === 'codec' ? {} : { postgres: 'ok', temporal: 'ok' };
    expect(await getJson(service, '/ready')).toEqual([200, { status: 'ok', checks }]);
  });

  test('GET /openapi.json: 3.1, every reference resolves, every answer is described, every route is listed', async () => {
    const document = await openApiOf(dev, service);
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g))
      expect([reference, resolved(document, reference!)]).toEqual([reference, expect.anything()]);
    const operations = operationsOf(document);
    for (const { name, responses, summary } of operations) {
      expect([name, summary]).toEqual([name, expect.any(String)]);
      expect(Object.keys(responses)).not.toEqual([]);
      for (const answer of Object.values(responses)) expect(answer.description).toEqual(expect.any(String));
    }
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(routes[service] ?? ['get /ready']),
    );
  });

  test('GET /docs: a page that needs nothing from elsewhere', async () => {
    const page = await get(service, '/docs');
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(assets.length).toBeGreaterThan(2);
    for (const address of assets) {
      const url = new URL(address, page.url);
      expect(url.origin).toBe(dev.services[service]);
      expect([address, (await fetch(url)).status]).toEqual([address, 200]);
    }
  });

  test('tells browsers and caches what not to do with an answer, a refusal and a page', async () => {
    for (const [path, policy] of [
      ['/ready', /^default-src 'none'; frame-ancestors 'none'$/],
      [`/nowhere/${randomUUID()}`, /^default-src 'none'; frame-ancestors 'none'$/],
      ['/docs', /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/],
    ] as const) {
      const { headers } = await get(service, path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(policy),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    }
  });

  test('404 for an unknown path', async () => {
    const body = isCoded ? { error: 'not_found', message: 'Not found' } : { error: 'Not found' };
    expect(await getJson(service, `/nowhere/${randomUUID()}`)).toEqual([404, body]);
  });

  test.each(['/%00', '/ready?x=%00', '/%zz'])('400 for an address that says nothing: %s', async (path) => {
    const error = isCoded ? { error: 'validation_failed', message: 'Bad request' } : { error: 'Bad request' };
    expect(await getJson(service, path)).toEqual([400, error]);
  });

  test('X-Request-Id: a well-formed one is taken and returned, any other is replaced', async () => {
    const idFor = async (given?: string) =>
      (
        await fetch(
          `${dev.services[service]}/ready`,
          given === undefined ? {} : { headers: { 'x-request-id': given } },
        )
      ).headers.get('x-request-id');
    for (const taken of ['A-b_c.1', 'x'.repeat(128)]) expect(await idFor(taken)).toBe(taken);
    const made = await Promise.all([undefined, 'x'.repeat(129), 'a b', '<script>'].map(idFor));
    for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(made).size).toBe(made.length);
  });
});

function resolved(document: object, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
}

test('X-Request-Id is returned with a refusal too', async () => {
  const { headers } = await call(dev, 'orchestrator', {
    path: '/nowhere',
    headers: { 'x-request-id': 'mine' },
  });
  expect(headers.get('x-request-id')).toBe('mine');
});

test('X-Request-Id goes with an approval to the pharmacy and the shipping service', async () => {
  const approval = semaglutideFor(patientIn(dev, 'NY'));
  const requestId = `request-${randomUUID()}`;
  await approve(dev, approval, { headers: { 'x-request-id': requestId } });
  const submissionId = submissionIdOf(dev, approval.taskId);
  const [atPharmacy, atShipping] = await Promise.all(
    ['pharmacy_a', 'shipping'].map((target) => callsTo(dev, target)),
  );
  const keyed = (key: string) => (exchange: { headers: Record<string, string> }) =>
    exchange.headers['idempotency-key'] === key;
  expect(atPharmacy!.filter(keyed(`${submissionId}-1`))).toMatchObject([
    { headers: { 'x-request-id': requestId } },
  ]);
  expect(atShipping!.filter(keyed(`shipment:${submissionId}`))).toMatchObject([
    { headers: { 'x-request-id': requestId } },
  ]);
});
