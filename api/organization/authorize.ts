import type { FastifyRequest } from 'fastify';
import { findSession } from '../../db/organization/admin-users.js';
import type { Actor } from '../../domain/organization/actor.js';
import { findOrganization } from '../../db/organization/organizations.js';
import type { Granter } from '../../domain/organization/memberships.js';
import type { ServiceContext } from '../context.js';
import type { Policy } from '../plugins/admin.js';
import { isUuid } from '../http-errors.js';

/** An organization as admins see it; an archived one is for superadmins only (page 3, Organization status). */
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
    /** Superadmins only, who may see every organization: to others one of another organization is unknown (D77). */
    superadminOf: { allows: [], organizationOf: byPath('id') },
    /** Any role in the organization of the path. */
    member: { allows: ['org_admin', 'org_user', 'support'], organizationOf: byPath('id') },
    orgAdmin: { allows: ['org_admin'], organizationOf: byPath('id') },
    orgAdminOf: (name: string): Policy => ({ allows: ['org_admin'], organizationOf: byPath(name) }),
    orgAdminOfBody: { allows: ['org_admin'], organizationOf: byBody, organizationIn: 'body' },
    /** An org_admin of whichever organization. */
    anyOrgAdmin: { allows: ['org_admin'] },
  } as const satisfies Record<string, Policy | ((name: string) => Policy)>;
};

/**
 * The lowest counter a token must carry, out of the admin's own row: nobody's, and a suspended admin's, are all below
 * it (D72).
 */
export const knownVersion =
  ({ sql }: ServiceContext) =>
  async (adminId: string): Promise<number> => {
    const session = isUuid(adminId) ? await findSession(sql, adminId) : undefined;
    return session === undefined || session.state === 'suspended' ? Number.POSITIVE_INFINITY : session.ver;
  };

/** From where a request comes, for the audit. */
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
