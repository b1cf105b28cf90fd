import { randomInt, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { type AdminUser, findAdminByEmail } from '../../db/organization/admin-users.js';
import { signInByMailbox } from '../../db/organization/sign-in.js';
import { type CodesOf, judgeCode, putCode } from '../../db/organization/sign-in-codes.js';
import { issueAdminToken } from '../../platform/crypto/admin-token.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { mailSignInCode } from '../../starts/organization.js';
import type { ServiceContext } from '../context.js';
import type { originOf } from './authorize.js';
import { standardError } from '../errors.js';
import { type HttpError, unauthorized } from '../http-errors.js';

type Origin = ReturnType<typeof originOf>;
type Codes = CodesOf & { email: string };

/** Codes and sessions of admins, for their own requests and for those that the desk hands on. */
export function createSignIn({ sql, temporal, config }: ServiceContext) {
  const settings = config.service('organization');
  const hashed = (...parts: string[]) => keyedHash(settings.ID_HASH_SECRET, JSON.stringify(parts));

  /**
   * Codes belong to an address. Their entries are counted for the caller's network address, and in all (D161). Codes entered
   * with a token of the provider are counted apart.
   */
  function codesOf(given: string, method: 'code' | 'identity', { ip }: Origin): Codes {
    const email = given.toLowerCase();
    return {
      address: hashed('sign-in', email),
      budget: hashed('sign-in', method, email, ip),
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

  /** Signs in with a mailed code. @throws HttpError 401, 429 */
  async function byCode(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { email: string; code: string },
    from: Origin,
  ) {
    const codes = codesOf(given.email, 'code', from);
    noteAdmin(request, await findAdminByEmail(sql, codes.email));
    await requireRightCode(reply, codes, given.code);
    return sessionOf(request, await signInByMailbox(sql, codes.email, from));
  }

  return { hashed, codesOf, mailCode, requireRightCode, noteAdmin, sessionOf, byCode };
}

function tooMany(reply: FastifyReply, seconds: number): HttpError {
  void reply.header('retry-after', String(seconds));
  return standardError(429);
}
