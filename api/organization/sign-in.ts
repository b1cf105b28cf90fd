import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { type AdminUser, findAdminByEmail, findAdminUser } from '../../db/organization/admin-users.js';
import { signInByIdentity, signInByMailbox } from '../../db/organization/sign-in.js';
import { type CodesOf, judgeCode, putCode } from '../../db/organization/sign-in-codes.js';
import { createIdentityProvider } from '../../integrations/identity-provider/client.js';
import { issueAdminToken, sessionLifetimeSeconds } from '../../platform/crypto/admin-token.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { networkOf } from '../../platform/http/network.js';
import { mailSignInCode } from '../../starts/organization.js';
import type { ServiceContext } from '../context.js';
import type { originOf } from './authorize.js';
import { standardError } from '../errors.js';
import { conflict, forbidden, HttpError, unauthorized } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

type Origin = ReturnType<typeof originOf>;
type Codes = CodesOf & { email: string };

/** Codes and sessions of admins, for their own requests and for those that the desk hands on. */
export function createSignIn({ sql, temporal, config }: ServiceContext) {
  const settings = config.service('organization');
  const provider = createIdentityProvider({
    jwksUrl: settings.IDP_JWKS_URL,
    issuer: settings.IDP_ISSUER,
    audience: settings.IDP_AUDIENCE,
  });
  const hashed = (...parts: string[]) => keyedHash(settings.ID_HASH_SECRET, JSON.stringify(parts));

  /**
   * Codes belong to an address. Their entries are counted for the caller's network address, and in all (D161). Codes entered
   * with a token of the provider are counted apart.
   */
  function codesOf(given: string, method: 'code' | 'identity', { ip }: Origin): Codes {
    const email = given.toLowerCase();
    return {
      address: hashed('sign-in', email),
      budget: hashed('sign-in', method, email, networkOf(ip)),
      budgetInAll: hashed('sign-in', method, email),
      email,
    };
  }

  /** @throws HttpError 429 after too many mailed or wrong codes */
  async function mailCode(reply: FastifyReply, codes: Codes): Promise<void> {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const id = randomUUID();
    const maxPerWindow = settings.RATE_LIMIT_CODES_PER_ADDRESS;
    const attempt = { ...codes, id, codeHash: hashed(id, code), maxPerWindow };
    const { refusedForSeconds } = await putCode(sql, attempt);
    if (refusedForSeconds !== undefined) throw tooMany(reply, refusedForSeconds);
    await mailSignInCode(temporal, { codeId: id, email: codes.email, code });
  }

  /** @throws HttpError 401 for a wrong code, 429 for any code after too many wrong ones */
  async function requireRightCode(reply: FastifyReply, codes: Codes, code: string): Promise<void> {
    const judged = await judgeCode(sql, codes, ({ id, codeHash }) =>
      signatureMatches(codeHash, hashed(id, code)),
    );
    if (judged.verdict === 'later') throw tooMany(reply, judged.seconds);
    if (judged.verdict === 'wrong') throw unauthorized();
  }

  /** Names the admin in the access event. A sign-in under an unknown address has no actor (D88). */
  function noteAdmin({ accessed }: FastifyRequest, admin: AdminUser | undefined): void {
    if (!admin) return;
    accessed.actor = { actor: admin.id, actorKind: 'admin' };
    accessed.records = [admin.id];
  }

  /** @throws HttpError 401 where nobody may sign in */
  async function sessionOf(request: FastifyRequest, signedIn: AdminUser | undefined) {
    // The same answer for every reason: an error must not reveal which addresses are known or suspended.
    if (!signedIn) throw unauthorized();
    noteAdmin(request, signedIn);
    return tokenOf(signedIn, Math.floor(Date.now() / 1000));
  }

  /** A token with the claims of now. @param signedInAt seconds since 1970 */
  async function tokenOf(signedIn: AdminUser, signedInAt: number) {
    const { id, isSuperadmin, isOperator, memberships, ver } = signedIn;
    const token = await issueAdminToken(settings.ADMIN_JWT_SECRET, {
      sub: id,
      kind: 'admin',
      isSuperadmin,
      isOperator,
      memberships: memberships.map(({ organizationId, role }) => ({ orgId: organizationId, role })),
      ver,
      auth_time: signedInAt,
    });
    const { exp = 0 } = decodeJwt(token);
    return { token, expiresAt: new Date(exp * 1000), admin: signedIn };
  }

  /** Signs in with a mailed code. @throws HttpError 401, 403 where only the provider signs in, 429 */
  async function byCode(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { email: string; code: string },
    from: Origin,
  ) {
    const codes = codesOf(given.email, 'code', from);
    noteAdmin(request, await findAdminByEmail(sql, codes.email));
    if (settings.ADMIN_SIGN_IN === 'provider') throw forbidden();
    await requireRightCode(reply, codes, given.code);
    return sessionOf(request, await signInByMailbox(sql, codes.email, from));
  }

  /**
   * Renews a session (D142). @throws HttpError 401 after 12 h, for a token of `rx admin token`, or when the admin's sessions
   * have just ended
   */
  async function refresh({ admin: { sub, ver, auth_time: signedInAt } }: FastifyRequest) {
    const isOver = signedInAt === undefined || Date.now() / 1000 >= signedInAt + sessionLifetimeSeconds;
    const now = isOver ? undefined : await findAdminUser(sql, 'all', sub);
    if (isOver || now?.state !== 'active' || now.ver > ver) throw unauthorized();
    return tokenOf(now, signedInAt);
  }

  /**
   * Signs in with a token of the identity provider. @throws HttpError 401, 403 where only codes sign in, 409 for a superadmin's
   * first time without a code, 429, 502
   */
  async function byIdentity(
    request: FastifyRequest,
    reply: FastifyReply,
    { idToken, code }: { idToken: string; code?: string | undefined },
    from: Origin,
  ) {
    if (settings.ADMIN_SIGN_IN === 'codes') throw forbidden();
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
      signInByIdentity(sql, { identityProviderId, email, token, isMailboxProved }, from);
    const entered = await enter(false);
    if (entered !== 'code_needed') return sessionOf(request, entered);

    const codes = codesOf(email, 'identity', from);
    if (code === undefined) {
      await mailCode(reply, codes);
      throw conflict('A code was mailed to you: send it with the same token');
    }
    await requireRightCode(reply, codes, code);
    const linked = await enter(true);
    return sessionOf(request, linked === 'code_needed' ? undefined : linked);
  }

  /** Mails a code to sign in with. @throws HttpError 403 where only the provider signs in, 429 */
  async function sendCode(reply: FastifyReply, email: string, from: Origin): Promise<void> {
    if (settings.ADMIN_SIGN_IN === 'provider') throw forbidden();
    await mailCode(reply, codesOf(email, 'code', from));
  }

  return { sendCode, byCode, byIdentity, refresh };
}

function tooMany(reply: FastifyReply, seconds: number): HttpError {
  reply.request.accessed.isLockedOut = true;
  void reply.header('retry-after', String(seconds));
  return standardError(429);
}
