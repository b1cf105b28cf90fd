import { z } from 'zod';
import {
  changeStatus,
  findOrganization,
  listOrganizations,
  updateOrganization,
} from '../../db/organization/organizations.js';
import { type StatusChange, statusChanges } from '../../domain/organization/organizations.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf, pageQuery } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, orThrow, policiesOf } from './authorize.js';
import { createOrganization } from './create-organization.js';
import { codedErrors, found, idOf } from '../http-errors.js';
import * as contract from './contract.js';

const common = { tags: ['Organizations'], security: [{ adminToken: [] }] };
const params = contract.byId;

/** Organizations, the tenants of the platform (page 3, Organization status; D74). */
export function organizationRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;
  const policies = policiesOf(context);
  const access = { none: 'data of an organization, not of a person' };

  admin.post(
    '/v1/organizations',
    {
      config: { errorCodes: { 502: ['emr_unavailable'] }, policy: policies.superadmin, access },
      schema: {
        ...common,
        summary: 'Create an organization here and in the EMR',
        description:
          'Answers when both systems have the organization. If the EMR is unavailable, the answer is 502 and nothing is stored. A repeated request finds an organization that the EMR has created.',
        body: contract.newOrganization,
        response: {
          201: contract.oneOrganization,
          ...codedErrors(400, 401, 403, 409, 413, 415, 429, 500, 502, 503),
        },
      },
    },
    async (request, reply) => {
      const organization = await createOrganization(context, request.body, actorOf(request));
      return reply.code(201).send({ organization });
    },
  );

  admin.get(
    '/v1/organizations',
    {
      config: { policy: policies.admins, access },
      schema: {
        ...common,
        summary: "List the caller's organizations",
        description: 'A superadmin gets all organizations.',
        querystring: pageQuery,
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
      return { organizations: page, nextCursor };
    },
  );

  admin.get(
    '/v1/organizations/:id',
    {
      config: { policy: policies.member, access },
      schema: {
        ...common,
        summary: 'Get an organization',
        params,
        response: { 200: contract.oneOrganization, ...codedErrors(401, 404, 429, 500) },
      },
    },
    async ({ admin: caller, params: { id } }) => {
      const organization = await findOrganization(sql, organizationsOf(caller), idOf(id, 'Organization'));
      return { organization: found(organization, 'Organization') };
    },
  );

  admin.patch(
    '/v1/organizations/:id',
    {
      config: { policy: policies.orgAdmin, access },
      schema: {
        ...common,
        summary: 'Change the display name or slug',
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
      return { organization: orThrow(result) };
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
          summary: `Change the status of an organization from ${from.join(' or ')} to ${to}`,
          params,
          response: { 200: contract.oneOrganization, ...codedErrors(401, 403, 404, 409, 429, 500) },
        },
      },
      async (request) => {
        const id = idOf(request.params.id, 'Organization');
        const scope = organizationsOf(request.admin);
        const result = await changeStatus(sql, scope, id, actorOf(request), change);
        return { organization: orThrow(result) };
      },
    );
  }
}
