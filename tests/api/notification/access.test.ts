import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fastifyRateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { App, ServiceContext } from '../../../api/context.js';
import { installErrorHandler } from '../../../api/errors.js';
import { notificationRoutes } from '../../../api/notification/routes.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { createSql, type Sql } from '../../../db/client.js';
import { publishEvent } from '../../../db/outbox.js';
import { issueAdminToken } from '../../../platform/crypto/admin-token.js';
import { createLogger } from '../../../platform/logger.js';
import { adminToken, callAs, eventually } from '../../helpers/client.js';
import { adminRoutes, dev } from './notification.js';

const routes = await adminRoutes();
const claims = { sub: 'somebody', kind: 'admin' as const, isSuperadmin: true, memberships: [], ver: 0 };

let sql: Sql;
let exhausted: App;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  exhausted = await appWithALimitOfOne();
});
afterAll(async () => {
  await exhausted.close();
  await sql.end();
});

/** The service's own routes in an app that lets each admin ask once a minute. */
async function appWithALimitOfOne(): Promise<App> {
  const settings = {
    ADMIN_JWT_SECRET: loadSecrets(defaultStateDir()).adminJwtSecret,
    RATE_LIMIT_PER_KEY_PER_MINUTE: 1,
    RATE_LIMIT_UNVERIFIED_PER_MINUTE: 1,
    SECRET_ENCRYPTION_KEYS: [{ id: 'test', key: Buffer.alloc(32) }],
    MAIL_FROM: 'care@scriptrail.test',
    ORGANIZATION_URL: dev.services.organization,
  };
  const config = { ...settings, service: () => settings };
  const logger = createLogger({ level: 'silent' });
  const app = Fastify() as unknown as App;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  installErrorHandler(app, 'issues', logger);
  await app.register(fastifyRateLimit, { global: false });
  const context = { config, logger, sql, temporal: {} } as unknown as ServiceContext;
  await app.register(async (scope) => notificationRoutes(scope as App, context));
  return app;
}

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

  test.each(routes)('429: %s %s for an admin who has used up the limit', async (method, url) => {
    const token = await adminToken(dev, { isSuperadmin: true, sub: randomUUID() });
    const ask = () =>
      exhausted.inject({
        method: method as 'GET',
        url,
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await ask()).statusCode).not.toBe(429);
    const answer = await ask();
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'Too many requests' }]);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
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
