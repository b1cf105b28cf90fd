import type { FastifyRequest } from 'fastify';
import {
  putBranding,
  putNotificationConfig,
  putPortalConfig,
  type Target,
} from '../../db/organization/settings.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import { actorOf, policiesOf } from './authorize.js';
import { unlessRefused } from './unless-refused.js';
import { codedErrors, idOf } from '../http-errors.js';
import * as contract from './contract.js';

const common = { tags: ['Settings'], security: [{ adminToken: [] }] };
const refused = codedErrors(400, 401, 403, 404, 409, 413, 415, 429, 500);

/** What an org_admin sets up; each PUT replaces the whole, and what it leaves out becomes its default (D74). */
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
        response: { 200: contract.oneBranding, ...refused },
      },
    },
    async (request) => ({
      branding: unlessRefused(await putBranding(sql, targetOf(request, request.params.id), request.body)),
    }),
  );

  admin.put(
    '/v1/organizations/:id/portal-config',
    {
      config,
      schema: {
        ...common,
        summary: 'Replace the flags of the portal',
        description: 'Sessions go on.',
        params: contract.byId,
        body: contract.portalConfig,
        response: { 200: contract.onePortalConfig, ...refused },
      },
    },
    async (request) => ({
      portalConfig: unlessRefused(
        await putPortalConfig(sql, targetOf(request, request.params.id), request.body),
      ),
    }),
  );

  admin.put(
    '/v1/organizations/:id/notification-config',
    {
      config,
      schema: {
        ...common,
        summary: 'Replace the identity that notifications are sent under',
        params: contract.byId,
        body: contract.notificationConfig,
        response: { 200: contract.oneNotificationConfig, ...refused },
      },
    },
    async (request) => ({
      notificationConfig: unlessRefused(
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
