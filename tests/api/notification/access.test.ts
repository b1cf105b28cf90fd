import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { publishEvent } from '../../../db/outbox.js';
import { issueAdminToken } from '../../../platform/crypto/admin-token.js';
import { adminToken, callAs, eventually } from '../../helpers/client.js';
import { adminRoutes, dev } from './notification.js';

const routes = await adminRoutes();
const claims = { sub: 'somebody', kind: 'admin' as const, isSuperadmin: true, memberships: [], ver: 0 };

let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());

describe('who gets through to a route for superadmins', () => {
  test('covers the nine of them', () => {
    expect(routes.map((route) => route.join(' ')).sort()).toEqual([
      'GET /notify/channels',
      'GET /notify/log',
      'GET /notify/templates',
      'GET /notify/templates/welcome',
      'GET /notify/templates/welcome/versions',
      'POST /notify/templates/welcome/preview',
      'POST /notify/templates/welcome/test',
      'PUT /notify/channels/welcome',
      'PUT /notify/templates/welcome',
    ]);
  });

  test.each(routes)(
    '401: %s %s without a token, with another’s signature, and with an API key',
    async (method, path) => {
      const forged = await issueAdminToken('x'.repeat(64), claims);
      for (const token of [undefined, 'x', forged]) {
        const { status, body } = await callAs(dev, 'notification', token, { method, path });
        expect([status, body]).toEqual([401, { error: 'Unauthorized' }]);
      }
    },
  );

  test.each(routes)('403: %s %s for an admin of an organization', async (method, path) => {
    const memberships = [{ orgId: randomUUID(), role: 'org_admin' as const }];
    const token = await adminToken(dev, { sub: randomUUID(), memberships });
    const { status, body } = await callAs(dev, 'notification', token, { method, path });
    expect([status, body]).toEqual([403, { error: 'Forbidden' }]);
  });

  test('401 with a token from before its admin was suspended, not with one from after', async () => {
    const sub = randomUUID();
    const ask = async (ver: number) =>
      (
        await callAs(dev, 'notification', await adminToken(dev, { isSuperadmin: true, sub, ver }), {
          path: '/notify/channels',
        })
      ).status;
    expect(await ask(3)).toBe(200);
    await publishEvent(sql, 'organization', {
      detailType: 'admin.user_suspended',
      aggregateId: sub,
      detail: { adminUserId: sub, ver: 4 },
    });
    await eventually(async () => (await ask(3)) === 401);
    expect(await ask(4)).toBe(200);
  });
});
