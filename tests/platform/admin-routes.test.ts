import { describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import fastifyRateLimit from '@fastify/rate-limit';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App, ServiceContext } from '../../api/context.js';
import { installErrorHandler } from '../../api/errors.js';
import { type Policy, registerAdmin } from '../../api/plugins/admin.js';
import { type AdminClaims, issueAdminToken } from '../../platform/crypto/admin-token.js';
import { createLogger } from '../../platform/logger.js';

const secret = 's'.repeat(64);
const limits = { RATE_LIMIT_UNVERIFIED_PER_MINUTE: 3, RATE_LIMIT_PER_KEY_PER_MINUTE: 1000 };
const member = (role: AdminClaims['memberships'][number]['role'], orgId = 'home') => ({
  memberships: [{ orgId, role }],
});

async function appWith(policy: Policy | undefined, known: Record<string, number> = {}): Promise<App> {
  const app = Fastify().withTypeProvider<ZodTypeProvider>() as unknown as App;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  installErrorHandler(app, 'code', createLogger({ level: 'silent' }));
  await app.register(fastifyRateLimit, { global: false });
  app.addHook('onRequest', async (request) => void (request.accessed = {}));
  const context = { config: { ADMIN_JWT_SECRET: secret, ...limits } } as unknown as ServiceContext;
  const config = policy ? { policy } : {};
  const body = z.object({ organizationId: z.string() });
  await registerAdmin(app, context, { admits: async ({ sub, ver }) => ver >= (known[sub] ?? 0) }, (admin) => {
    admin.post('/things/:org', { config, schema: { body } }, async () => ({ ok: true }));
  });
  await app.ready();
  return app;
}

async function ask(app: App, claims?: Partial<AdminClaims>, organizationId: unknown = 'home') {
  const admin = {
    sub: 'me',
    kind: 'admin' as const,
    isSuperadmin: false,
    memberships: [],
    ver: 1,
    ...claims,
  };
  const token = claims && (await issueAdminToken(secret, admin));
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/things/home',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    payload: { organizationId },
  });
  return [statusCode, (JSON.parse(body) as { error?: string }).error];
}

const ofTheUrl: Policy = {
  allows: ['org_admin', 'org_user'],
  organizationOf: ({ params }) => (params as { org: string }).org,
};
const ofTheBody: Policy = {
  allows: ['org_admin'],
  organizationIn: 'body',
  organizationOf: ({ body }) => (body as { organizationId: string }).organizationId,
};

test('a route without a policy keeps the service from starting', async () => {
  await expect(appWith(undefined)).rejects.toThrow('POST /things/:org declares no policy');
});

describe('a route of an organization in its address', () => {
  test.each<[string, Partial<AdminClaims> | undefined, unknown[]]>([
    ['401 without a token', undefined, [401, 'unauthorized']],
    ['404 without a membership there', member('org_admin', 'away'), [404, 'not_found']],
    ['403 with a role that is too low', member('support'), [403, 'forbidden']],
    ['200 with a role that it names', member('org_user'), [200, undefined]],
    ['200 for a superadmin', { isSuperadmin: true }, [200, undefined]],
  ])('answers %s', async (_title, claims, answer) => {
    expect(await ask(await appWith(ofTheUrl), claims)).toEqual(answer);
  });

  test('answers 404, not 400, to an outsider whose body is wrong', async () => {
    expect(await ask(await appWith(ofTheUrl), member('org_admin', 'away'), 7)).toEqual([404, 'not_found']);
  });
});

describe('a route of an organization in its body', () => {
  test.each<[string, Partial<AdminClaims>, unknown, unknown[]]>([
    ['400 to a wrong body', member('org_admin'), 7, [400, 'validation_failed']],
    ['404 without a membership there', member('org_admin'), 'away', [404, 'not_found']],
    ['403 with a role that is too low', member('org_user'), 'home', [403, 'forbidden']],
    ['200 with the role', member('org_admin'), 'home', [200, undefined]],
  ])('answers %s', async (_title, claims, organizationId, answer) => {
    expect(await ask(await appWith(ofTheBody), claims, organizationId)).toEqual(answer);
  });
});

test('a role anywhere does where the policy names no organization', async () => {
  const app = await appWith({ allows: ['support'] });
  expect(await ask(app, member('support', 'anywhere'))).toEqual([200, undefined]);
  expect(await ask(app, member('org_admin'))).toEqual([403, 'forbidden']);
});

test('a superadmin’s route answers 403 to every other admin', async () => {
  expect(await ask(await appWith({ allows: 'superadmin' }), member('org_admin'))).toEqual([403, 'forbidden']);
});

test('a token issued before a revocation is refused with 401, one issued after it is not', async () => {
  const app = await appWith({ allows: 'admins' }, { me: 2 });
  expect(await ask(app, { ver: 1 })).toEqual([401, 'unauthorized']);
  expect(await ask(app, { ver: 2 })).toEqual([200, undefined]);
});

test('an address that keeps failing is answered 429, with the time to wait', async () => {
  const app = await appWith({ allows: 'admins' });
  for (let attempt = 0; attempt < 3; attempt += 1) expect((await ask(app))[0]).toBe(401);
  expect(await ask(app)).toEqual([429, 'too_many_requests']);
  expect(await ask(app, {})).toEqual([200, undefined]);
});
