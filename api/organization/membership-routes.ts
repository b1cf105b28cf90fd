import {
  grantMembership,
  grantPhysician,
  revokeMembership,
  revokePhysician,
} from '../../db/organization/memberships.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, granterOf, orThrow, policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { codedErrors, idOf } from '../http-errors.js';

const common = { tags: ['Memberships'], security: [{ adminToken: [] }] };
const grantErrors = codedErrors(400, 401, 403, 404, 409, 413, 415, 429, 500);
const revokeErrors = codedErrors(401, 403, 404, 409, 429, 500);

/** Memberships of admins and physicians in organizations (page 3, role matrix; D72, D74). */
export function membershipRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;
  const policies = policiesOf(context);

  admin.post(
    '/v1/admin-users/:id/memberships',
    {
      config: { policy: policies.orgAdminOfBody, access: { action: 'membership.grant', record: 'id' } },
      schema: {
        ...common,
        summary: 'Give an admin a role in an organization',
        description:
          'Replaces the current role. Only a superadmin grants or changes `org_admin`. A lower role ends all tokens issued before.',
        params: contract.byId,
        body: contract.newMembership,
        response: { 201: contract.oneMembership, ...grantErrors },
      },
    },
    async (request, reply) => {
      const { organizationId, role } = request.body;
      request.accessed.organizationId = organizationId;
      const adminId = idOf(request.params.id, 'Admin user');
      const key = { scope: organizationsOf(request.admin), adminId, organizationId };
      const granter = granterOf(request);
      const granted = orThrow(await grantMembership(sql, { ...key, granter }, role, actorOf(request)));
      return reply.code(201).send({ membership: granted });
    },
  );

  admin.delete(
    '/v1/admin-users/:id/memberships/:orgId',
    {
      config: { policy: policies.orgAdminOf('orgId'), access: { action: 'membership.revoke', record: 'id' } },
      schema: {
        ...common,
        summary: 'Remove an admin from an organization',
        description: 'Ends all tokens issued before, immediately.',
        params: contract.byMembership,
        response: { 200: contract.oneMembership, ...revokeErrors },
      },
    },
    async (request) => {
      const { id, orgId } = request.params;
      const organizationId = idOf(orgId, 'Organization');
      request.accessed.organizationId = organizationId;
      const key = { scope: organizationsOf(request.admin), adminId: idOf(id, 'Admin user'), organizationId };
      const granter = granterOf(request);
      const revoked = orThrow(await revokeMembership(sql, { ...key, granter }, actorOf(request)));
      return { membership: revoked };
    },
  );

  admin.post(
    '/v1/physicians/:id/memberships',
    {
      config: { policy: policies.orgAdminOfBody, access: { action: 'membership.grant', record: 'id' } },
      schema: {
        ...common,
        summary: 'Add a physician to an organization',
        params: contract.byId,
        body: contract.newPhysicianMembership,
        response: { 201: contract.onePhysicianMembership, ...grantErrors },
      },
    },
    async (request, reply) => {
      const physicianId = idOf(request.params.id, 'Physician');
      const key = { physicianId, organizationId: request.body.organizationId };
      request.accessed.organizationId = key.organizationId;
      const granted = await grantPhysician(sql, organizationsOf(request.admin), key, actorOf(request));
      return reply.code(201).send({ membership: orThrow(granted) });
    },
  );

  admin.delete(
    '/v1/physicians/:id/memberships/:orgId',
    {
      config: { policy: policies.orgAdminOf('orgId'), access: { action: 'membership.revoke', record: 'id' } },
      schema: {
        ...common,
        summary: 'Remove a physician from an organization',
        description: 'Running prescriptions continue.',
        params: contract.byMembership,
        response: { 200: contract.onePhysicianMembership, ...revokeErrors },
      },
    },
    async (request) => {
      const organizationId = idOf(request.params.orgId, 'Organization');
      request.accessed.organizationId = organizationId;
      const key = { physicianId: idOf(request.params.id, 'Physician'), organizationId };
      const revoked = await revokePhysician(sql, organizationsOf(request.admin), key, actorOf(request));
      return { membership: orThrow(revoked) };
    },
  );
}
