import type { FastifyRequest } from 'fastify';
import { findSession } from '../../db/organization/admin-users.js';
import type { Actor } from '../../domain/organization/actor.js';
import { findOrganization } from '../../db/organization/organizations.js';
import { isRefused, type Refusal } from '../../domain/organization/organizations.js';
import type { Granter } from '../../domain/organization/memberships.js';
import type { ServiceContext } from '../context.js';
import type { Policy } from '../plugins/admin.js';
import { type AdmitsToken, claimsNoMore } from '../plugins/admin-sessions.js';
import { HttpError, isUuid } from '../http-errors.js';

/** Only superadmins see an archived organization (page 3, Organization status). */
async function visible({ sql }: ServiceContext, id: unknown): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  return (await findOrganization(sql, [id], id))?.id;
}

/** Who may use which route (page 3, Endpoints; D74). */
export const policiesOf = (context: ServiceContext) => {
  const byPath = (name: string) => (request: FastifyRequest) =>
    visible(context, (request.params as Record<string, unknown>)[name]);
  const byBody = (request: FastifyRequest) =>
    visible(context, (request.body as Record<string, unknown> | undefined)?.['organizationId']);
  return {
    anyone: { allows: 'anyone' },
    admins: { allows: 'admins' },
    superadmin: { allows: 'superadmin' },
    /** Superadmins only. Other admins get 404 for an organization that they are no member of (D77). */
    superadminOf: { allows: [], organizationOf: byPath('id') },
    /** Any role in the organization of the path. */
    member: { allows: ['org_admin', 'org_user', 'support'], organizationOf: byPath('id') },
    orgAdmin: { allows: ['org_admin'], organizationOf: byPath('id') },
    orgAdminOf: (name: string): Policy => ({ allows: ['org_admin'], organizationOf: byPath(name) }),
    orgAdminOfBody: { allows: ['org_admin'], organizationOf: byBody, organizationIn: 'body' },
    /** An org_admin of any organization. */
    anyOrgAdmin: { allows: ['org_admin'] },
  } as const satisfies Record<string, Policy | ((name: string) => Policy)>;
};

/** Unknown and suspended admins have no valid token; only superadmins and operators have one that says so (D72, D141). */
export const admitsAdmin =
  ({ sql }: ServiceContext): AdmitsToken =>
  async (claims) => {
    const session = isUuid(claims.sub) ? await findSession(sql, claims.sub) : undefined;
    if (session === undefined || session.state === 'suspended') return false;
    return claims.ver >= session.ver && claimsNoMore(claims, session);
  };

/** The origin of a request, for the audit. */
export const originOf = ({ ip, headers }: FastifyRequest): Omit<Actor, 'adminId'> => ({
  ip,
  userAgent: headers['user-agent']?.slice(0, maxUserAgentCharacters) ?? null,
});
const maxUserAgentCharacters = 500;

export const actorOf = (request: FastifyRequest): Actor => ({
  adminId: request.admin.sub,
  ...originOf(request),
});

export const granterOf = ({ admin }: FastifyRequest): Granter =>
  admin.isSuperadmin ? 'superadmin' : 'org_admin';

const statuses = { unknown: 404, forbidden: 403, conflict: 409 } as const;

/** @throws HttpError for a rejected change */
export function orThrow<T extends object>(result: T | Refusal): T {
  if (!isRefused(result)) return result;
  throw new HttpError(statuses[result.refused], result.why);
}
