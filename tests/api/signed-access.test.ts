import { beforeAll, describe, expect, test } from '@jest/globals';
import { signedHeaders } from '../../platform/crypto/signature.js';
import { type Answer, call, shared } from '../helpers/client.js';
import { refusalOf, type SignedRoute, signedRoutes } from '../helpers/openapi.js';
import { withKey } from '../cli/rx.js';

let dev = shared();
/** Every signed route there is, as the services document them. */
const routes = await signedRoutes(dev);
const table = routes.map((route) => [`${route.method} ${route.service} ${route.path}`, route] as const);
const foreignKeys: Partial<Record<SignedRoute['service'], string>> = {
  router: 'approvals',
  orchestrator: 'clinic',
  notification: 'clinic',
  registry: 'clinic',
  intake: 'clinic',
  organization: 'clinic',
  patients: 'clinic',
  bridge: 'clinic',
  worklist: 'clinic',
};

beforeAll(async () => {
  dev = await withKey(dev, 'exhausted', '--scopes', 'admin', '--requests-per-minute', '1');
});

const ask = (
  { service, method, path }: SignedRoute,
  key: string,
  headers?: Record<string, string>,
): Promise<Answer<unknown>> => call(dev, service, { key, method, path, ...(headers && { headers }) });

describe('who gets through to a signed route', () => {
  test('covers the routes of all signed services', () => {
    expect(new Set(routes.map(({ service }) => service))).toEqual(new Set(Object.keys(foreignKeys)));
  });

  test.each(table)(
    '401: %s without a signature, with a wrong one, and with an inactive key',
    async (_name, route) => {
      const bare = await fetch(dev.services[route.service] + route.path, { method: route.method });
      expect([bare.status, await bare.json()]).toEqual([
        401,
        refusalOf(route, 'Missing authentication headers'),
      ]);
      const wrong = await ask(route, 'admin', { 'x-signature': 'f'.repeat(64) });
      expect([wrong.status, wrong.body]).toEqual([401, refusalOf(route, 'Invalid signature')]);
      const inactive = await ask(route, 'inactive');
      expect([inactive.status, inactive.body]).toEqual([401, refusalOf(route, 'Invalid signature')]);
    },
  );

  test('401, not 400: a body that is no JSON under a wrong signature', async () => {
    const answer = await fetch(`${dev.services.orchestrator}/orchestrator/approve`, {
      method: 'POST',
      headers: {
        ...signedHeaders({ keyId: dev.apiKeys['admin']!.key, secret: 'another' }, '{"taskId":'),
        'content-type': 'application/json',
      },
      body: '{"taskId":',
    });
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Invalid signature' }]);
  });

  test.each(table)('403: %s with a key of another service', async (_name, route) => {
    const { status, body } = await ask(route, foreignKeys[route.service] ?? '');
    expect([status, body]).toEqual([403, refusalOf(route, 'Key not allowed for this service')]);
  });

  test.each(table)('429: %s with a key that has used up its own limit', async (_name, route) => {
    // The minute of an earlier request may be over.
    await ask(route, 'exhausted');
    const { status, body, headers } = await ask(route, 'exhausted');
    expect([status, body]).toEqual([429, refusalOf(route, 'Too many requests')]);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(headers.get('ratelimit-limit')).toBe('1');
  });
});

describe('what the body of a signed route must be', () => {
  // A body of the registry is that of a physician or an admin (registry/access.test.ts).
  const withBody = table.filter(
    ([, { service, method }]) => service !== 'registry' && (method === 'POST' || method === 'PUT'),
  );
  const send = (route: SignedRoute, body: string, headers: Record<string, string> = {}) =>
    call(dev, route.service, { key: 'admin', method: route.method, path: route.path, body, headers });

  test.each(withBody)('415: %s with another content type', async (_name, route) => {
    const { status, body } = await send(route, '{}', { 'content-type': 'text/plain' });
    expect([status, body]).toEqual([415, refusalOf(route, 'Unsupported content type')]);
  });

  // tests/api/long/bad-inputs.test.ts announces too large a body to each route.
  test.each([
    ['/orchestrator/approve', 1],
    ['/orchestrator/statements', 5],
    ['/rx/prescriptions/submit', 5],
  ])('413: %s with a body over %d MiB', async (path, limitMiB) => {
    const route = routes.find((route) => route.path === path && route.method === 'POST')!;
    const { status, body } = await send(route, `"${'x'.repeat(limitMiB * 1024 * 1024)}"`);
    expect([status, body]).toEqual([413, refusalOf(route, 'Payload too large')]);
  });
});
