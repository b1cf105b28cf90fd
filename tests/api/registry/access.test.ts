import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { call, shared } from '../../helpers/client.js';
import { withKey } from '../../cli/rx.js';

let dev: DevJson = shared();
const id = randomUUID();
type Route = [method: string, path: string];

const reads: Route[] = [
  ['GET', '/route?platform=platform_a&state=NY'],
  ['GET', '/physicians'],
  ['GET', `/physicians/${id}`],
  ['GET', `/physicians/${id}/licenses`],
  ['GET', `/physicians/${id}/verify-license?state=NY`],
];
const own: Route[] = [
  ['GET', '/physicians/me'],
  ['PUT', '/physicians/me'],
  ['POST', '/physicians/me/signature'],
];
const officeWrites: Route[] = [
  ['POST', '/physicians'],
  ['PUT', `/physicians/${id}`],
  ['DELETE', `/physicians/${id}`],
  ['POST', `/physicians/${id}/licenses`],
  ['PUT', `/physicians/${id}/licenses/${id}`],
  ['DELETE', `/physicians/${id}/licenses/${id}`],
];
const adminWrites: Route[] = [
  ['POST', `/physicians/${id}/reactivate`],
  ['POST', '/routing-rules'],
  ['PUT', `/routing-rules/${id}`],
  ['DELETE', `/routing-rules/${id}`],
];
const adminReads: Route[] = [['GET', '/routing-rules']];
const all = [...reads, ...own, ...officeWrites, ...adminWrites, ...adminReads];

const ask = async ([method, path]: Route, key: string, body?: unknown) => {
  const answer = await call(dev, 'registry', { key, method, path, body });
  return { status: answer.status, body: answer.body };
};

beforeAll(async () => {
  dev = await withKey(dev, 'doctor_admin', '--scopes', 'admin', '--physician', id);
  dev = await withKey(dev, 'own', '--scopes', 'registry', '--physician', id);
});

// Errors of every signed route are in tests/api/signed-access.test.ts.
describe('who may do what in the registry', () => {
  test.each([...officeWrites, ...adminWrites])("403: %s %s with a physician's key", async (...route) => {
    for (const key of ['own', 'doctor_admin'])
      expect(await ask(route, key, {})).toEqual({ status: 403, body: { error: 'Forbidden' } });
  });

  test.each([...adminWrites, ...adminReads])('403: %s %s with a key that is no admin’s', async (...route) => {
    expect(await ask(route, 'registry')).toEqual({
      status: 403,
      body: { error: 'Key not allowed for this service' },
    });
  });

  test.each(reads)("not 403: %s %s with a physician's key", async (...route) => {
    expect([200, 404]).toContain((await ask(route, 'own')).status);
  });
});

test('every route of the registry is in these tables', async () => {
  const response = await fetch(`${dev.services.registry}/openapi.json`);
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  const signed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security !== undefined && security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, id)}`),
  );
  const listed = all.map(([method, path]) => `${method} ${path.split('?')[0] ?? ''}`);
  expect(signed.sort()).toEqual(listed.sort());
});
