import { findAdminUser } from '../../db/organization/admin-users.js';
import { signOut } from '../../db/organization/sign-in.js';
import type { App, ServiceContext } from '../context.js';
import { forAnybody } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { actorOf, originOf, policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { createSignIn } from './sign-in.js';
import { codedErrors, unauthorized } from '../http-errors.js';

const tags = ['Signing in'];
const errors = codedErrors(400, 413, 415, 429, 500);

/** Sign-in of admins by a mailed code or by a token of the identity provider (D72), and sign-out (D92). */
export function authRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;
  const settings = context.config.service('organization');
  const policies = policiesOf(context);
  const config = { policy: policies.anyone };
  const limitAddress = limitPerAddress(admin, settings.RATE_LIMIT_CODES_PER_MINUTE);
  const signIn = createSignIn(context);

  admin.post(
    '/v1/auth/otp/send',
    {
      config: { ...config, access: { none: 'public: the same answer for every address' } },
      ...forAnybody(limitAddress),
      schema: {
        tags,
        summary: 'Mail a sign-in code',
        description: 'The answer is the same for every address. Only admins get mail.',
        body: contract.codeRequest,
        response: { 200: contract.done, ...errors, ...codedErrors(403, 503) },
      },
    },
    async (request, reply) => {
      await signIn.sendCode(reply, request.body.email, originOf(request));
      return { success: true as const };
    },
  );

  admin.post(
    '/v1/auth/otp/check',
    {
      config: { ...config, access: { action: 'session.start', refusal: 'session.refuse' } },
      ...forAnybody(limitAddress),
      schema: {
        tags,
        summary: 'Sign in with a code',
        description:
          'A code is valid for 10 minutes and five attempts. A sign-in ends all codes of the address. After 20 wrong codes in a day from one network address, the answer there is 429 until the day ends. After 50 in all, one code an hour is mailed and one a minute checked.',
        body: contract.codeCheck,
        response: { 200: contract.session, ...codedErrors(401, 403), ...errors },
      },
    },
    (request, reply) => signIn.byCode(request, reply, request.body, originOf(request)),
  );

  admin.post(
    '/v1/auth/exchange',
    {
      config: {
        errorCodes: ['identity_provider_unavailable'],
        ...config,
        access: { action: 'session.start', refusal: 'session.refuse' },
      },
      ...forAnybody(limitAddress),
      schema: {
        tags,
        summary: 'Sign in with a token of the identity provider',
        description:
          'A token signs in once, within 10 minutes of its issue. The first sign-in of a superadmin answers 409 and mails a code. Send the same token with that `code` to sign in.',
        body: contract.tokenExchange,
        response: {
          200: contract.session,
          ...codedErrors(401, 403),
          ...errors,
          ...codedErrors(409, 503),
          502: codedErrors(502)[502].describe('The keys of the identity provider are unavailable'),
        },
      },
    },
    (request, reply) => signIn.byIdentity(request, reply, request.body, originOf(request)),
  );

  admin.get(
    '/v1/auth/me',
    {
      config: { policy: policies.admins, access: { none: "the caller's own account" } },
      schema: {
        tags,
        summary: 'Get the signed-in admin',
        security: [{ adminToken: [] }],
        response: { 200: contract.ownAdmin, ...codedErrors(401, 429, 500) },
      },
    },
    async ({ admin }) => {
      const user = await findAdminUser(sql, 'all', admin.sub);
      if (!user) throw unauthorized();
      return { admin: user };
    },
  );

  admin.post(
    '/v1/auth/refresh',
    {
      config: { policy: policies.admins, access: { action: 'session.refresh' } },
      schema: {
        tags,
        summary: 'Renew the session',
        description:
          'The new token has the claims of now. The old token stays valid until it expires. A session ends 12 h after its sign-in.',
        security: [{ adminToken: [] }],
        response: { 200: contract.refreshed, ...codedErrors(401, 413, 415, 429, 500) },
      },
    },
    (request) => signIn.refresh(request),
  );

  admin.post(
    '/v1/auth/sign-out',
    {
      config: { policy: policies.admins, access: { action: 'session.end' } },
      schema: {
        tags,
        summary: 'End all tokens of the admin',
        description: 'Takes effect here immediately, in the other services within 5 s.',
        security: [{ adminToken: [] }],
        response: { 200: contract.done, ...codedErrors(401, 413, 415, 429, 500) },
      },
    },
    async (request) => {
      await signOut(sql, actorOf(request));
      return { success: true as const };
    },
  );
}
