import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { adminToken, callAs, eventually, shared } from '../../helpers/client.js';
import { startBridge } from './bridge.js';

const dev = shared();
const id = randomUUID();
const routes = [
  ['GET', '/webhook-events'],
  ['GET', `/webhook-events/${id}`],
  ['POST', `/emr-sync-attempts/${id}/retry`],
  ['POST', '/admin/workers/emr-sync/tick'],
  ['POST', '/admin/workers/outbox/tick'],
  ['POST', '/admin/workers/outbox/redrive'],
  ['GET', '/emr-sync-attempts'],
  ['GET', `/emr-sync-attempts/${id}`],
] as const;

test('429: every route for admins, once one has used up the limit', async () => {
  const strict = await startBridge(dev, { RATE_LIMIT_PER_KEY_PER_MINUTE: '1' });
  for (const [method, path] of routes) {
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
