import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { type AdminUser, findAdminByEmail, findAdminUser } from '../../db/organization/admin-users.js';
import { signInByIdentity, signInByMailbox, signOut } from '../../db/organization/sign-in.js';
import { judgeCode, putCode } from '../../db/organization/sign-in-codes.js';
import {
  createIdentityProvider,
  type Identity,
  type IdentityProvider,
} from '../../integrations/identity-provider/client.js';
import { issueAdminToken } from '../../platform/crypto/admin-token.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { mailSignInCode } from '../../starts/organization.js';
import type { App, ServiceContext } from '../context.js';
import { standardError } from '../errors.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { actorOf, originOf, policiesOf } from './authorize.js';
import { presentedAdmin } from './admin-user-routes.js';
import * as contract from './contract.js';
import { codedErrors, conflict, HttpError, unauthorized } from '../http-errors.js';

const tags = ['Signing in'];
const refused = codedErrors(400, 413, 415, 429, 500);

/** How an admin comes by a token: a code by mail, or a token of the identity provider (D72); and how it ends (D92). */
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
  const refuseBeyondLimit = limitPerAddress(admin, settings.RATE_LIMIT_CODES_PER_MINUTE);
  const hashed = (...parts: string[]) => keyedHash(settings.ID_HASH_SECRET, JSON.stringify(parts));
  /** Codes belong to an address; those entered with a token of the provider are counted apart. */
  const codesOf = (email: string, wayIn: 'code' | 'identity') => ({
    address: hashed('sign-in', email),
    budget: hashed('sign-in', wayIn, email),
    email,
  });

  admin.post(
    '/v1/auth/otp/send',
    {
      config: { ...config, access: { none: 'public: the same answer for every address' } },
      schema: {
        tags,
        summary: 'Have a code for signing in mailed',
        description: 'The same answer for every address: only an admin gets mail.',
        body: contract.codeRequest,
        response: { 200: contract.done, ...refused, ...codedErrors(503) },
      },
    },
    async (request, reply) => {
      await refuseBeyondLimit(request, reply);
      await mailCode(reply, codesOf(request.body.email.toLowerCase(), 'code'));
      return { success: true as const };
    },
  );

  admin.post(
    '/v1/auth/otp/check',
    {
      config: { ...config, access: { action: 'session.start', refusal: 'session.refuse' } },
      schema: {
        tags,
        summary: 'Sign in with a code',
        description:
          'A code lives 10 minutes and is judged five times at most; signing in with one ends all of them. After 20 wrong ones in a day: 429, until the day is over.',
        body: contract.codeCheck,
        response: { 200: contract.session, ...codedErrors(401), ...refused },
      },
    },
    async (request, reply) => {
      await refuseBeyondLimit(request, reply);
      const { email: address, code } = request.body;
      const email = address.toLowerCase();
      noteWho(request, await findAdminByEmail(sql, email));
      await requireRightCode(reply, codesOf(email, 'code'), code);
      return sessionOf(request, await signInByMailbox(sql, email, originOf(request)));
    },
  );

  admin.post(
    '/v1/auth/exchange',
    {
      config: { ...config, access: { action: 'session.start', refusal: 'session.refuse' } },
      schema: {
        tags,
        summary: 'Sign in with a token of the identity provider',
        description:
          'A token signs in once, within 10 minutes of its issue. The first time of a superadmin is 409 and mails a code: the same token with that `code` signs in.',
        body: contract.tokenExchange,
        response: {
          200: contract.session,
          ...codedErrors(401),
          ...refused,
          ...codedErrors(409, 503),
          502: codedErrors(502)[502].describe('The identity provider could not be asked for its keys'),
        },
      },
    },
    async (request, reply) => {
      await refuseBeyondLimit(request, reply);
      const { idToken, code } = request.body;
      const identity = await identityOf(provider, idToken);
      if (!identity) throw noEntry();
      const { id: identityProviderId, email } = identity;
      noteWho(request, await findAdminByEmail(sql, email));
      // What is signed; a signature can be written in several ways.
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
      config: { policy: policies.admins, access: { none: 'the caller themselves' } },
      schema: {
        tags,
        summary: 'Whose token it is',
        security: [{ adminToken: [] }],
        response: { 200: contract.ownAdmin, ...codedErrors(401, 429, 500) },
      },
    },
    async ({ admin }) => {
      const user = await findAdminUser(sql, 'all', admin.sub);
      if (!user) throw unauthorized();
      return { admin: presentedAdmin(user) };
    },
  );

  admin.post(
    '/v1/auth/sign-out',
    {
      config: { policy: policies.admins, access: { action: 'session.end' } },
      schema: {
        tags,
        summary: 'End all tokens of the admin',
        description: 'Here at once, in the other services within 5 s.',
        security: [{ adminToken: [] }],
        response: { 200: contract.done, ...codedErrors(401, 413, 415, 429, 500) },
      },
    },
    async (request) => {
      await signOut(sql, actorOf(request));
      return { success: true as const };
    },
  );

  /** For the event of the sign-in; under an address that no admin has, whoever tried stays unknown (D88). */
  function noteWho({ accessed }: FastifyRequest, admin: AdminUser | undefined): void {
    if (!admin) return;
    accessed.actor = { actor: admin.id, actorKind: 'admin' };
    accessed.records = [admin.id];
  }

  /** @throws Refused 429 when too many were sent, or wrong ones entered */
  async function mailCode(reply: FastifyReply, codes: ReturnType<typeof codesOf>): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const id = randomUUID();
    const maxPerWindow = settings.RATE_LIMIT_CODES_PER_ADDRESS;
    const { refusedForSeconds } = await putCode(sql, {
      ...codes,
      id,
      codeHash: hashed(id, code),
      maxPerWindow,
    });
    if (refusedForSeconds !== undefined) throw tooMany(reply, refusedForSeconds);
    await mailSignInCode(temporal, { codeId: id, email: codes.email, code });
  }

  /** @throws Refused 401 for a wrong code, 429 for any once there were too many */
  async function requireRightCode(
    reply: FastifyReply,
    codes: ReturnType<typeof codesOf>,
    code: string,
  ): Promise<void> {
    const judged = await judgeCode(sql, codes, ({ id, codeHash }) =>
      signatureMatches(codeHash, hashed(id, code)),
    );
    if (judged.verdict === 'locked') throw tooMany(reply, judged.seconds);
    if (judged.verdict === 'wrong') throw noEntry();
  }

  async function sessionOf(request: FastifyRequest, signedIn: AdminUser | undefined) {
    if (!signedIn) throw noEntry();
    noteWho(request, signedIn);
    const { id, isSuperadmin, memberships, ver } = signedIn;
    const token = await issueAdminToken(settings.ADMIN_JWT_SECRET, {
      sub: id,
      kind: 'admin',
      isSuperadmin,
      memberships: memberships.map(({ organizationId, role }) => ({ orgId: organizationId, role })),
      ver,
    });
    const { exp = 0 } = decodeJwt(token);
    return { token, expiresAt: new Date(exp * 1000).toISOString(), admin: presentedAdmin(signedIn) };
  }
}

/** @throws Refused 502 without the provider's keys */
async function identityOf(provider: IdentityProvider, idToken: string): Promise<Identity | undefined> {
  try {
    return await provider.identityOf(idToken);
  } catch (error) {
    if (error instanceof OutboundError)
      throw new HttpError(502, error.message, { code: 'identity_provider_unavailable' });
    throw error;
  }
}

/** One answer for every reason: who is known, suspended or mistaken is nobody's to learn. */
const noEntry = unauthorized;

function tooMany(reply: FastifyReply, seconds: number): HttpError {
  void reply.header('retry-after', String(seconds));
  return standardError(429);
}
