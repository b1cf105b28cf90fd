import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { adminToken, callAs, eventually, shared } from '../../helpers/client.js';
import { startBridge } from './bridge.js';

const dev = shared();
const id = randomUUID();
const superadmins: [string, string][] = [
  ['GET', '/webhook-events'],
  ['GET', `/webhook-events/${id}`],
  ['POST', `/emr-sync-attempts/${id}/retry`],
  ['POST', '/admin/workers/emr-sync/tick'],
  ['POST', '/admin/workers/outbox/tick'],
  ['POST', '/admin/workers/outbox/redrive'],
];
const supports: [string, string][] = [
  ['GET', '/emr-sync-attempts'],
  ['GET', `/emr-sync-attempts/${id}`],
];
const all = [...superadmins, ...supports];
const named = (routes: [string, string][]) =>
  routes.map(([method, path]) => [method, path.replace(id, ':id'), path] as const);
const roles = ['org_admin', 'org_user', 'support'] as const;
type Role = (typeof roles)[number];
const withRole = (role: Role) => adminToken(dev, { memberships: [{ orgId: randomUUID(), role }] });

test.each(named(all))('401: %s %s without a token, and with a wrong one', async (method, _name, path) => {
  for (const token of [undefined, 'wrong', `${await adminToken(dev)}x`]) {
    const { status, body } = await callAs(dev, 'bridge', token, { method, path });
    expect([status, body]).toEqual([401, { error: 'unauthorized', message: 'Unauthorized' }]);
  }
});

describe.each(roles)('an admin who is %s of an organization', (role) => {
  test.each(named(superadmins))('403: %s %s', async (method, _name, path) => {
    const { status, body } = await callAs(dev, 'bridge', await withRole(role), { method, path });
    expect([status, body]).toEqual([403, { error: 'forbidden', message: 'Forbidden' }]);
  });
});

test.each(named(supports))(
  '403: %s %s for org_admin, org_user and an admin of nothing',
  async (method, _name, path) => {
    const nobody = adminToken(dev, { memberships: [] });
    for (const token of [withRole('org_admin'), withRole('org_user'), nobody])
      expect((await callAs(dev, 'bridge', await token, { method, path })).status).toBe(403);
  },
);

test('429: every route for admins, once one has used up the limit', async () => {
  const strict = await startBridge(dev, { RATE_LIMIT_PER_KEY_PER_MINUTE: '1' });
  for (const [method, path] of all) {
    const token = await adminToken(dev, { sub: randomUUID(), memberships: [] });
    // While the organization service is slow to say who it is, nothing is counted.
    const first = await eventually(async () => {
      const { status } = await callAs(strict.dev, 'bridge', token, { method, path });
      return status !== 503 && status;
    });
    expect(first).toBe(403);
    const { status, body } = await callAs(strict.dev, 'bridge', token, { method, path });
    expect([status, body]).toEqual([429, { error: 'too_many_requests', message: 'Too many requests' }]);
  }
  await strict.stop();
});
