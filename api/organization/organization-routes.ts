import { z } from 'zod';
import {
  changeStatus,
  findOrganization,
  listOrganizations,
  type Organization,
  updateOrganization,
} from '../../db/organization/organizations.js';
import { type StatusChange, statusChanges } from '../../domain/organization/organizations.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, policiesOf } from './authorize.js';
import { createOrganization } from './create-organization.js';
import { unlessRefused } from './unless-refused.js';
import { codedErrors, found, idOf } from '../http-errors.js';
import * as contract from './contract.js';

const common = { tags: ['Organizations'], security: [{ adminToken: [] }] };
const params = contract.byId;

/** Tenants: made, read, changed, suspended, archived (page 3, Organization status; D74). */
export function organizationRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;
  const policies = policiesOf(context);
  const access = { none: 'an organization, which is no person' };

  admin.post(
    '/v1/organizations',
    {
      config: { policy: policies.superadmin, access },
      schema: {
        ...common,
        summary: 'Make an organization, here and in the EMR',
        description:
          'Answers once both have it. When the EMR is away, 502 and nothing is stored; the same request then finds what the EMR may have made.',
        body: contract.newOrganization,
        response: {
          201: contract.oneOrganization,
          ...codedErrors(400, 401, 403, 409, 413, 415, 429, 500, 502, 503),
        },
      },
    },
    async (request, reply) => {
      const organization = await createOrganization(context, request.body, actorOf(request));
      return reply.code(201).send({ organization: presented(organization) });
    },
  );

  admin.get(
    '/v1/organizations',
    {
      config: { policy: policies.admins, access },
      schema: {
        ...common,
        summary: "The caller's organizations, all of them for a superadmin",
        querystring: contract.organizationQuery,
        response: { 200: contract.organizationList, ...codedErrors(400, 401, 429, 500) },
      },
    },
    async ({ admin: caller, query: { limit, cursor } }) => {
      const after = decodeCursor(cursor, z.string().regex(/^\d{1,18}$/)) ?? '0';
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listOrganizations(sql, organizationsOf(caller), { after, limit }),
        ({ position }) => position,
      );
      return { organizations: page.map(presented), nextCursor };
    },
  );

  admin.get(
    '/v1/organizations/:id',
    {
      config: { policy: policies.member, access },
      schema: {
        ...common,
        summary: 'One organization',
        params,
        response: { 200: contract.oneOrganization, ...codedErrors(401, 404, 429, 500) },
      },
    },
    async ({ admin: caller, params: { id } }) => {
      const organization = await findOrganization(sql, organizationsOf(caller), idOf(id, 'Organization'));
      return { organization: presented(found(organization, 'Organization')) };
    },
  );

  admin.patch(
    '/v1/organizations/:id',
    {
      config: { policy: policies.orgAdmin, access },
      schema: {
        ...common,
        summary: 'Change display name or slug',
        params,
        body: contract.organizationChanges,
        response: {
          200: contract.oneOrganization,
          ...codedErrors(400, 401, 403, 404, 409, 413, 415, 429, 500),
        },
      },
    },
    async (request) => {
      const id = idOf(request.params.id, 'Organization');
      const scope = organizationsOf(request.admin);
      const result = await updateOrganization(sql, scope, id, actorOf(request), request.body);
      return { organization: presented(unlessRefused(result)) };
    },
  );

  for (const change of Object.keys(statusChanges) as StatusChange[]) {
    const { from, to } = statusChanges[change];
    admin.post(
      `/v1/organizations/:id/${change}`,
      {
        config: { policy: policies.superadminOf, access },
        schema: {
          ...common,
          summary: `Make an organization that is ${from.join(' or ')} ${to}`,
          params,
          response: { 200: contract.oneOrganization, ...codedErrors(401, 403, 404, 409, 429, 500) },
        },
      },
      async (request) => {
        const id = idOf(request.params.id, 'Organization');
        const scope = organizationsOf(request.admin);
        const result = await changeStatus(sql, scope, id, actorOf(request), change);
        return { organization: presented(unlessRefused(result)) };
      },
    );
  }
}

const presented = ({ createdAt, updatedAt, ...organization }: Organization) => ({
  ...organization,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
