import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AdminClaims, verifyAdminToken } from '../../platform/crypto/admin-token.js';
import type { App, ServiceContext } from '../context.js';
import { forbidden, notFound, unauthorized } from '../http-errors.js';
import { rejectDeclaredLength } from './declared-length.js';
import { countUnverified, rejectWhenExceeded } from './rate-limit.js';

export type Role = AdminClaims['memberships'][number]['role'];

/** Who may use a route (page 3, role matrix). A superadmin may use every one. */
export interface Policy {
  /** Anyone, any admin, superadmins only, or admins with one of these roles in the organization it is about. */
  allows: 'anyone' | 'admins' | 'superadmin' | readonly Role[];
  /**
   * The organization a role is asked for in; undefined when what is asked for does not exist. Without this a role in
   * any organization will do.
   */
  organizationOf?: (request: FastifyRequest) => string | undefined | Promise<string | undefined>;
  /** The organization stands in the body, so the policy is judged once that is valid. */
  organizationIn?: 'body';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Policy;
  }
  interface FastifyRequest {
    /** Whose token a request bears; of routes for admins. */
    admin: AdminClaims;
  }
}

export interface AdminOptions {
  /** The highest revocation counter known of an admin; a token below it has ended (D72). */
  knownVersion: (adminId: string) => Promise<number | undefined>;
}

/**
 * Registers routes with a declared policy each; one without stops the service from starting. In this order: declared
 * length of the body (413, D95), token (401), policy (404 for what is outside the caller's organizations, D77, or 403),
 * and only then the body.
 */
export async function registerAdmin(
  app: App,
  { config }: ServiceContext,
  { knownVersion }: AdminOptions,
  routes: (admin: App) => void,
): Promise<void> {
  const secret = adminSecretOf(config);
  await app.register(async (scope) => {
    const admin = scope as App;
    const countRefusal = countUnverified(admin, config);
    const perAdmin = admin.createRateLimit({
      max: config.RATE_LIMIT_PER_KEY_PER_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request: FastifyRequest) => request.admin.sub,
    });

    admin.addHook('onRoute', ({ config: { policy } = {}, method, url }) => {
      if (!policy) throw new Error(`${String(method)} ${url} declares no policy`);
    });
    rejectDeclaredLength(admin);
    admin.addHook('onRequest', async (request, reply) => {
      const { policy } = request.routeOptions.config;
      if (!policy || policy.allows === 'anyone') return;
      request.admin = await authenticate(request, reply);
      rejectWhenExceeded(reply, await perAdmin(request));
      if (policy.organizationIn !== 'body') await judge(policy, request);
    });
    admin.addHook('preHandler', async (request) => {
      const { policy } = request.routeOptions.config;
      if (policy?.organizationIn === 'body') await judge(policy, request);
    });
    routes(admin);

    async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AdminClaims> {
      const claims = await adminOf(request, secret);
      if (claims && claims.ver >= ((await knownVersion(claims.sub)) ?? 0)) return claims;
      await countRefusal(request, reply);
      throw unauthorized();
    }
  });
}

/** Only a service with admins is given it, and its settings ask for it (D90). */
function adminSecretOf({ ADMIN_JWT_SECRET: secret }: ServiceContext['config']): string {
  if (secret === undefined) throw new Error('ADMIN_JWT_SECRET is not among the settings of this service');
  return secret;
}

/**
 * The superadmin whose token a request bears (D71), for a service that keeps no sessions.
 * @throws Refused 401 without a valid token, 403 for any other admin
 */
export async function requireSuperadmin(request: FastifyRequest, secret: string): Promise<AdminClaims> {
  const admin = await adminOf(request, secret);
  if (!admin) throw unauthorized();
  request.admin = admin;
  if (!admin.isSuperadmin) throw forbidden();
  return admin;
}

/** The organizations whose records a query may touch. */
export const organizationsOf = ({ isSuperadmin, memberships }: AdminClaims): readonly string[] | 'all' =>
  isSuperadmin ? 'all' : memberships.map(({ orgId }) => orgId);

async function judge({ allows, organizationOf }: Policy, request: FastifyRequest): Promise<void> {
  const { isSuperadmin, memberships } = request.admin;
  if (isSuperadmin || allows === 'anyone' || allows === 'admins') return;
  if (allows === 'superadmin') throw forbidden();
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
