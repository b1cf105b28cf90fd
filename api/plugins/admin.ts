import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.js';
import { type AdminClaims, verifyAdminToken } from '../../platform/crypto/admin-token.js';
import type { App, ServiceContext } from '../context.js';
import { forbidden, notFound, unauthorized } from '../http-errors.js';
import { sampleRefusals } from './access.js';
import type { AdmitsToken } from './admin-sessions.js';
import { rejectDeclaredLength } from './declared-length.js';
import { rejectMisspeltFields } from './misspelt-fields.js';
import { countUnverified, rejectWhenExceeded } from './rate-limit.js';

export type Role = AdminClaims['memberships'][number]['role'];

/** Who may use a route (page 3, role matrix). A superadmin may use every route. */
export interface Policy {
  allows: 'anyone' | 'admins' | 'operators' | 'superadmin' | readonly Role[];
  /** Operators may use the route for every organization, beside those it allows (D141). */
  isOperators?: true;
  /** The organization of the required role; undefined if the record does not exist. Default: any organization. */
  organizationOf?: (request: FastifyRequest) => string | undefined | Promise<string | undefined>;
  /** The body names the organization, so the policy is checked after validation. */
  organizationIn?: 'body';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Policy;
  }
  interface FastifyRequest {
    admin: AdminClaims;
  }
}

export interface AdminOptions {
  /** Unknown admins have no valid token, and ended tokens are none (D72). */
  admits: AdmitsToken;
}

/**
 * Registers routes with a policy; a route without one stops the service from starting, since a check that a handler
 * forgets would go unnoticed. The checks run in this order: declared body length (413, D95), token (401), policy (404
 * outside the caller's organizations, D77, or 403), body.
 */
export async function registerAdmin(
  app: App,
  { config }: ServiceContext,
  { admits }: AdminOptions,
  routes: (admin: App) => void,
): Promise<void> {
  await app.register(async (scope) => {
    const admin = scope as App;
    const requireAdmin = createTokenCheck(admin, config, admits);
    const perAdmin = admin.createRateLimit({
      max: config.RATE_LIMIT_PER_KEY_PER_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request: FastifyRequest) => request.admin.sub,
    });

    admin.addHook('onRoute', (route) => {
      const { config: { policy } = {}, method, url } = route;
      if (!policy) throw new Error(`${String(method)} ${url} declares no policy`);
      if (policy.allows === 'anyone') return;
      route.config = { ...route.config, caller: 'admin' };
      rejectMisspeltFields(route);
    });
    rejectDeclaredLength(admin);
    admin.addHook('onRequest', async (request, reply) => {
      const { policy } = request.routeOptions.config;
      if (!policy || policy.allows === 'anyone') return;
      await requireAdmin(request, reply);
      rejectWhenExceeded(reply, await perAdmin(request));
      if (policy.organizationIn !== 'body') await checkPolicy(policy, request);
    });
    admin.addHook('preHandler', async (request) => {
      const { policy } = request.routeOptions.config;
      if (policy?.organizationIn === 'body') await checkPolicy(policy, request);
    });
    routes(admin);
  });
}

/**
 * Checks the token of each request. A rejected one counts for the caller's address, and is recorded once a minute (D162).
 * @returns a function that sets `request.admin`, or throws HttpError 401, or 429 after too many rejections
 */
export function createTokenCheck(scope: App, config: Config, admits: AdmitsToken) {
  const { ADMIN_JWT_SECRET: secret } = config;
  if (secret === undefined) throw new Error('ADMIN_JWT_SECRET is not among the settings of this service');
  const limitUnverified = countUnverified(scope, config);
  const isSampled = sampleRefusals();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers;
    const claims = await adminOf(request, secret);
    if (!claims || !(await admits(claims, authorization ?? ''))) {
      await limitUnverified(request, reply);
      const actor = claims?.sub ?? 'unknown';
      if (authorization !== undefined && isSampled(`${actor} ${request.ip}`))
        request.accessed.refused = { actor, actorKind: 'admin' };
      throw unauthorized();
    }
    request.admin = claims;
  };
}

/** The organizations whose work an admin does at the desk: all for operators (D141). */
export const deskOrganizationsOf = (admin: AdminClaims): readonly string[] | 'all' =>
  admin.isOperator ? 'all' : organizationsOf(admin);

/** The organizations whose records a query may return. */
export const organizationsOf = ({ isSuperadmin, memberships }: AdminClaims): readonly string[] | 'all' =>
  isSuperadmin ? 'all' : memberships.map(({ orgId }) => orgId);

async function checkPolicy(policy: Policy, request: FastifyRequest): Promise<void> {
  const { allows, isOperators, organizationOf } = policy;
  const { isSuperadmin, isOperator, memberships } = request.admin;
  if (isSuperadmin || allows === 'anyone' || allows === 'admins') return;
  if (isOperator && (isOperators || allows === 'operators')) return;
  if (allows === 'superadmin' || allows === 'operators') throw forbidden();
  if (!organizationOf) {
    if (memberships.some(({ role }) => allows.includes(role))) return;
    throw forbidden();
  }
  const organizationId = await organizationOf(request);
  request.organizationId = organizationId;
  const membership = memberships.find(({ orgId }) => orgId === organizationId);
  if (!membership) throw notFound();
  if (!allows.includes(membership.role)) throw forbidden();
}

async function adminOf({ headers }: FastifyRequest, secret: string): Promise<AdminClaims | undefined> {
  const token = /^Bearer ([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : verifyAdminToken(secret, token);
}
