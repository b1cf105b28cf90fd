import { z } from 'zod';
import type { Sql } from '../../db/client.js';
import {
  inviteAdmin,
  listAdminUsers,
  reactivateAdmin,
  setOperator,
  suspendAdmin,
} from '../../db/organization/admin-users.js';
import { listOrganizations } from '../../db/organization/organizations.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import type { App, ServiceContext } from '../context.js';
import { standardError } from '../errors.js';
import { decodeCursor, pageOf, pageQuery } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, orThrow, policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { codedErrors, forbidden, idOf } from '../http-errors.js';

const common = { tags: ['Admin users'], security: [{ adminToken: [] }] };

/** Admins of organizations (page 3, Organization service; D72, D74). */
export function adminUserRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;
  const policies = policiesOf(context);

  admin.post(
    '/v1/admin-users',
    {
      config: { policy: policies.anyOrgAdmin, access: { action: 'admin.invite' } },
      schema: {
        ...common,
        summary: 'Invite an admin',
        description:
          'Creates an admin in state `invited` and mails the invitation. Memberships are granted separately. The admins of an organization invite 20 an hour.',
        body: contract.newAdminUser,
        response: {
          201: contract.oneAdminUser,
          ...codedErrors(400, 401, 403, 409, 413, 415, 429, 500),
        },
      },
    },
    async (request, reply) => {
      const invitation = { ...request.body, invitedBy: await inviterOf(sql, request.admin) };
      const outcome = await inviteAdmin(sql, invitation, actorOf(request));
      // Each invitation mails a stranger (D165).
      if (outcome === 'tooMany') {
        void reply.header('retry-after', '3600');
        throw standardError(429);
      }
      const invited = orThrow(outcome);
      request.accessed = { records: [invited.id], organizationId: invitation.invitedBy };
      return reply.code(201).send({ adminUser: invited });
    },
  );

  admin.get(
    '/v1/admin-users',
    {
      config: { policy: policies.admins, access: { action: 'admin.list' } },
      schema: {
        ...common,
        summary: "List the admins of the caller's organizations",
        description: 'A superadmin gets all admins.',
        querystring: pageQuery,
        response: { 200: contract.adminUserList, ...codedErrors(400, 401, 429, 500) },
      },
    },
    async ({ admin: caller, query: { limit, cursor } }) => {
      const after = decodeCursor(cursor, z.string().regex(/^\d{1,18}$/)) ?? '0';
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listAdminUsers(sql, organizationsOf(caller), { after, limit }),
        ({ position }) => position,
      );
      return { adminUsers: page, nextCursor };
    },
  );

  admin.patch(
    '/v1/admin-users/:id',
    {
      config: { policy: policies.superadmin, access: { action: 'admin.update', record: 'id' } },
      schema: {
        ...common,
        summary: 'Make an admin an operator, or no longer one',
        description:
          'An operator works the desk for all organizations. Taking it away ends all sessions of the admin (D141).',
        params: contract.byId,
        body: contract.adminUserChange,
        response: {
          200: contract.oneAdminUser,
          ...codedErrors(400, 401, 403, 404, 413, 415, 429, 500),
        },
      },
    },
    async (request) => {
      const id = idOf(request.params.id, 'Admin user');
      return { adminUser: orThrow(await setOperator(sql, id, request.body.isOperator, actorOf(request))) };
    },
  );

  for (const [operation, summary, change] of [
    ['suspend', 'Suspend an admin and end all sessions', suspendAdmin],
    ['reactivate', 'Reactivate a suspended admin', reactivateAdmin],
  ] as const) {
    admin.post(
      `/v1/admin-users/:id/${operation}`,
      {
        config: { policy: policies.superadmin, access: { action: `admin.${operation}`, record: 'id' } },
        schema: {
          ...common,
          summary,
          params: contract.byId,
          response: { 200: contract.oneAdminUser, ...codedErrors(401, 403, 404, 409, 429, 500) },
        },
      },
      async (request) => {
        const result = await change(sql, idOf(request.params.id, 'Admin user'), actorOf(request));
        return { adminUser: orThrow(result) };
      },
    );
  }
}

/**
 * The organization that an admin invites for; null for a superadmin.
 * @throws HttpError 403 for an org_admin whose organizations are all archived (D74)
 */
async function inviterOf(sql: Sql, { isSuperadmin, memberships }: AdminClaims): Promise<string | null> {
  if (isSuperadmin) return null;
  const own = memberships.filter(({ role }) => role === 'org_admin').map(({ orgId }) => orgId);
  const [inviter] = await listOrganizations(sql, own, { after: '0', limit: 1 });
  if (!inviter) throw forbidden();
  return inviter.id;
}
