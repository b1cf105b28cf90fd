import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { type AdminUser, findAdminByEmail } from '../../db/organization/admin-users.js';
import { signIn, type Proof } from '../../db/organization/sign-in.js';
import { putCode, takeAttempt, useCode } from '../../db/organization/sign-in-codes.js';
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
import { frameworkRefused } from '../errors.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { originOf, policiesOf } from './authorize.js';
import { presentedAdmin } from './admin-user-routes.js';
import * as contract from './contract.js';
import { codedErrors, Refused, unauthorized } from '../refusals.js';

const tags = ['Signing in'];
const refused = codedErrors(400, 413, 415, 429, 500);

/** How an admin comes by a token: a code by mail, or a token of the identity provider (D72). */
export function authRoutes(admin: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const settings = context.config.service('organization');
  const config = { policy: policiesOf(context).anyone };
  const provider = createIdentityProvider({
    jwksUrl: settings.IDP_JWKS_URL,
    issuer: settings.IDP_ISSUER,
    audience: settings.IDP_AUDIENCE,
  });
  const refuseBeyondLimit = limitPerAddress(admin, settings.RATE_LIMIT_CODES_PER_MINUTE);
  const hashed = (...parts: string[]) => keyedHash(settings.ID_HASH_SECRET, JSON.stringify(parts));
  const addressOf = (email: string) => hashed('sign-in', email);

  admin.post(
    '/v1/auth/otp/send',
    {
      config: { ...config, access: { none: 'public: the same answer for every address' } },
      schema: {
        tags,
        summary: 'Have a code for signing in mailed',
        description: 'The same answer for every address: only an admin gets mail.',
        body: contract.codeRequest,
        response: { 200: contract.codeSent, ...refused, ...codedErrors(503) },
      },
    },
    async (request, reply) => {
      await refuseBeyondLimit(request, reply);
      const email = request.body.email.toLowerCase();
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const id = randomUUID();
      const address = addressOf(email);
      const maxPerWindow = settings.RATE_LIMIT_CODES_PER_ADDRESS;
      if (!(await putCode(sql, { address, id, codeHash: hashed(id, code), maxPerWindow }))) {
        void reply.header('retry-after', '600');
        throw frameworkRefused(429);
      }
      await mailSignInCode(temporal, { codeId: id, email, code });
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
        description: 'A code lives 10 minutes, is good for one sign-in, and is judged five times at most.',
        body: contract.codeCheck,
        response: { 200: contract.session, ...codedErrors(401), ...refused },
      },
    },
    async (request, reply) => {
      await refuseBeyondLimit(request, reply);
      const email = request.body.email.toLowerCase();
      noteWho(request, await findAdminByEmail(sql, email));
      if (!(await isRightCode(email, request.body.code))) throw noEntry();
      return sessionOf(request, await signIn(sql, { email, identityProviderId: null }, originOf(request)));
    },
  );

  admin.post(
    '/v1/auth/exchange',
    {
      config: { ...config, access: { action: 'session.start', refusal: 'session.refuse' } },
      schema: {
        tags,
        summary: 'Sign in with a token of the identity provider',
        body: contract.tokenExchange,
        response: {
          200: contract.session,
          ...codedErrors(401),
          ...refused,
          502: codedErrors(502)[502].describe('The identity provider could not be asked for its keys'),
        },
      },
    },
    async (request, reply) => {
      await refuseBeyondLimit(request, reply);
      const identity = await identityOf(provider, request.body.idToken);
      if (!identity) throw noEntry();
      noteWho(request, await findAdminByEmail(sql, identity.email));
      const proof: Proof = { email: identity.email, identityProviderId: identity.id };
      return sessionOf(request, await signIn(sql, proof, originOf(request)));
    },
  );

  /** For the event of the sign-in; under an address that no admin has, whoever tried stays unknown (D88). */
  function noteWho({ accessed }: FastifyRequest, admin: AdminUser | undefined): void {
    if (!admin) return;
    accessed.actor = { actor: admin.id, actorKind: 'admin' };
    accessed.records = [admin.id];
  }

  /** Whether a code is right, at the cost of one of its attempts; a right one is used up. */
  async function isRightCode(email: string, code: string): Promise<boolean> {
    const address = addressOf(email);
    const sent = await takeAttempt(sql, address);
    if (!sent || !signatureMatches(sent.codeHash, hashed(sent.id, code))) return false;
    return useCode(sql, address, sent.id);
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
      throw new Refused(502, error.message, { code: 'identity_provider_unavailable' });
    throw error;
  }
}

/** One answer for every reason: who is known, suspended or mistaken is nobody's to learn. */
const noEntry = unauthorized;
