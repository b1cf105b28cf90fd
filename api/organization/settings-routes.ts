import type { FastifyRequest } from 'fastify';
import {
  putBranding,
  putNotificationConfig,
  putPortalConfig,
  type Target,
} from '../../db/organization/settings.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, orThrow, policiesOf } from './authorize.js';
import { codedErrors, idOf } from '../http-errors.js';
import * as contract from './contract.js';

const common = { tags: ['Settings'], security: [{ adminToken: [] }] };
const errors = codedErrors(400, 401, 403, 404, 409, 413, 415, 429, 500);

/** Settings of an organization. Each PUT replaces all of them; a field that is left out gets its default (D74). */
export function settingsRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;
  const access = { none: 'settings of an organization' };
  const config = { policy: policiesOf(context).orgAdmin, access };

  admin.put(
    '/v1/organizations/:id/branding',
    {
      config,
      schema: {
        ...common,
        summary: 'Replace the branding',
        params: contract.byId,
        body: contract.branding,
        response: { 200: contract.oneBranding, ...errors },
      },
    },
    async (request) => ({
      branding: orThrow(await putBranding(sql, targetOf(request, request.params.id), request.body)),
    }),
  );

  admin.put(
    '/v1/organizations/:id/portal-config',
    {
      config,
      schema: {
        ...common,
        summary: 'Replace the portal configuration',
        description: 'Sessions stay valid.',
        params: contract.byId,
        body: contract.portalConfig,
        response: { 200: contract.onePortalConfig, ...errors },
      },
    },
    async (request) => ({
      portalConfig: orThrow(await putPortalConfig(sql, targetOf(request, request.params.id), request.body)),
    }),
  );

  admin.put(
    '/v1/organizations/:id/notification-config',
    {
      config,
      schema: {
        ...common,
        summary: 'Replace the sender identity of notifications',
        params: contract.byId,
        body: contract.notificationConfig,
        response: { 200: contract.oneNotificationConfig, ...errors },
      },
    },
    async (request) => ({
      notificationConfig: orThrow(
        await putNotificationConfig(sql, targetOf(request, request.params.id), request.body),
      ),
    }),
  );
}

const targetOf = (request: FastifyRequest, id: string): Target => ({
  scope: organizationsOf(request.admin),
  organizationId: idOf(id, 'Organization'),
  by: actorOf(request),
});
