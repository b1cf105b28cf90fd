import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { type AdminUser, findAdminByEmail, findAdminUser } from '../../db/organization/admin-users.js';
import { signInByIdentity, signInByMailbox, signOut } from '../../db/organization/sign-in.js';
import { judgeCode, putCode } from '../../db/organization/sign-in-codes.js';
import { createIdentityProvider } from '../../integrations/identity-provider/client.js';
import { issueAdminToken } from '../../platform/crypto/admin-token.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { mailSignInCode } from '../../starts/organization.js';
import type { App, ServiceContext } from '../context.js';
import { standardError } from '../errors.js';
import { outboundAs } from '../outcomes.js';
import { forAnybody } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { actorOf, originOf, policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { codedErrors, conflict, HttpError, unauthorized } from '../http-errors.js';

const tags = ['Signing in'];
const errors = codedErrors(400, 413, 415, 429, 500);

/** Sign-in of admins by a mailed code or by a token of the identity provider (D72), and sign-out (D92). */
export function authRoutes(admin: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const settings = context.config.service('organization');
  const policies = policiesOf(context);
  const config = { policy: policies.anyone };
  const provider = createIdentityProvider({
    jwksUrl: settings.IDP_JWKS_URL,
    issuer: settings.IDP_ISSUER,
    audience: settings.IDP_AUDIENCE,
  });
  const limitAddress = limitPerAddress(admin, settings.RATE_LIMIT_CODES_PER_MINUTE);
  const hashed = (...parts: string[]) => keyedHash(settings.ID_HASH_SECRET, JSON.stringify(parts));
  /** Codes belong to an address. Codes entered with a token of the provider have a limit of their own. */
  const codesOf = (email: string, method: 'code' | 'identity') => ({
    address: hashed('sign-in', email),
    budget: hashed('sign-in', method, email),
    email,
  });

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
        response: { 200: contract.done, ...errors, ...codedErrors(503) },
      },
    },
    async (request, reply) => {
      await mailCode(reply, codesOf(request.body.email.toLowerCase(), 'code'));
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
          'A code is valid for 10 minutes and five attempts. A sign-in ends all codes of the address. After 20 wrong codes in a day, the answer is 429 until the day ends.',
        body: contract.codeCheck,
        response: { 200: contract.session, ...codedErrors(401), ...errors },
      },
    },
    async (request, reply) => {
      const { email: address, code } = request.body;
      const email = address.toLowerCase();
      noteAdmin(request, await findAdminByEmail(sql, email));
      await requireRightCode(reply, codesOf(email, 'code'), code);
      return sessionOf(request, await signInByMailbox(sql, email, originOf(request)));
    },
  );

  admin.post(
    '/v1/auth/exchange',
    {
      config: { ...config, access: { action: 'session.start', refusal: 'session.refuse' } },
      ...forAnybody(limitAddress),
      schema: {
        tags,
        summary: 'Sign in with a token of the identity provider',
        description:
          'A token signs in once, within 10 minutes of its issue. The first sign-in of a superadmin answers 409 and mails a code. Send the same token with that `code` to sign in.',
        body: contract.tokenExchange,
        response: {
          200: contract.session,
          ...codedErrors(401),
          ...errors,
          ...codedErrors(409, 503),
          502: codedErrors(502)[502].describe('The keys of the identity provider are unavailable'),
        },
      },
    },
    async (request, reply) => {
      const { idToken, code } = request.body;
      const identity = await provider
        .identityOf(idToken)
        .catch(
          outboundAs(({ message }) => new HttpError(502, message, { code: 'identity_provider_unavailable' })),
        );
      if (!identity) throw unauthorized();
      const { id: identityProviderId, email } = identity;
      noteAdmin(request, await findAdminByEmail(sql, email));
      // Without the signature, which has several valid encodings.
      const token = hashed('id-token', idToken.slice(0, idToken.lastIndexOf('.')));
      const enter = (isMailboxProved: boolean) =>
        signInByIdentity(sql, { identityProviderId, email, token, isMailboxProved }, originOf(request));
      const entered = await enter(false);
      if (entered !== 'code_needed') return sessionOf(request, entered);

      const codes = codesOf(email, 'identity');
      if (code === undefined) {
        await mailCode(reply, codes);
        throw conflict('A code was mailed to you: send it with the same token');
      }
      await requireRightCode(reply, codes, code);
      const linked = await enter(true);
      return sessionOf(request, linked === 'code_needed' ? undefined : linked);
    },
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

  /** Names the admin in the access event. A sign-in under an unknown address has no actor (D88). */
  function noteAdmin({ accessed }: FastifyRequest, admin: AdminUser | undefined): void {
    if (!admin) return;
    accessed.actor = { actor: admin.id, actorKind: 'admin' };
    accessed.records = [admin.id];
  }

  /** @throws HttpError 429 after too many mailed or wrong codes */
  async function mailCode(reply: FastifyReply, codes: ReturnType<typeof codesOf>): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const id = randomUUID();
    const maxPerWindow = settings.RATE_LIMIT_CODES_PER_ADDRESS;
    const attempt = { ...codes, id, codeHash: hashed(id, code), maxPerWindow };
    const { refusedForSeconds } = await putCode(sql, attempt);
    if (refusedForSeconds !== undefined) throw tooMany(reply, refusedForSeconds);
    await mailSignInCode(temporal, { codeId: id, email: codes.email, code });
  }

  /** @throws HttpError 401 for a wrong code, 429 for any code after too many wrong ones */
  async function requireRightCode(
    reply: FastifyReply,
    codes: ReturnType<typeof codesOf>,
    code: string,
  ): Promise<void> {
    const judged = await judgeCode(sql, codes, ({ id, codeHash }) =>
      signatureMatches(codeHash, hashed(id, code)),
    );
    if (judged.verdict === 'locked') throw tooMany(reply, judged.seconds);
    if (judged.verdict === 'wrong') throw unauthorized();
  }

  async function sessionOf(request: FastifyRequest, signedIn: AdminUser | undefined) {
    // The same answer for every reason: an error must not reveal which addresses are known or suspended.
    if (!signedIn) throw unauthorized();
    noteAdmin(request, signedIn);
    const { id, isSuperadmin, memberships, ver } = signedIn;
    const token = await issueAdminToken(settings.ADMIN_JWT_SECRET, {
      sub: id,
      kind: 'admin',
      isSuperadmin,
      memberships: memberships.map(({ organizationId, role }) => ({ orgId: organizationId, role })),
      ver,
    });
    const { exp = 0 } = decodeJwt(token);
    return { token, expiresAt: new Date(exp * 1000), admin: signedIn };
  }
}

function tooMany(reply: FastifyReply, seconds: number): HttpError {
  void reply.header('retry-after', String(seconds));
  return standardError(429);
}
