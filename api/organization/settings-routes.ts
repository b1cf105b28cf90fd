import type { FastifyRequest } from 'fastify';
import {
  putBranding,
  putNotificationConfig,
  putPortalConfig,
  resolveHostname,
  type Target,
} from '../../db/organization/settings.js';
import { isHostname } from '../../domain/organization/custom-domains.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import { codedErrors, found, HttpError, idOf } from '../http-errors.js';
import { actorOf, orThrow, policiesOf } from './authorize.js';
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
      branding: orThrow(await putBranding(sql, targetOf(request), request.body)),
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
      portalConfig: orThrow(await putPortalConfig(sql, targetOf(request), request.body)),
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
      notificationConfig: orThrow(await putNotificationConfig(sql, targetOf(request), request.body)),
    }),
  );
}

const targetOf = (request: FastifyRequest): Target => ({
  scope: organizationsOf(request.admin),
  organizationId: idOf((request.params as { id: string }).id, 'Organization'),
  by: actorOf(request),
});

/** How long an edge may cache the answer (page 3, Public resolver). */
const cacheControl = 'public, max-age=60';

/** Resolves a portal's hostname for an edge, without a token (page 3, Public resolver). */
export function resolverRoutes(admin: App, context: ServiceContext): void {
  admin.get(
    '/v1/public/resolve',
    {
      config: {
        errorCodes: ['suspended'],
        policy: policiesOf(context).anyone,
        access: { none: 'public: settings of a patient portal' },
      },
      schema: {
        tags: ['Resolver'],
        summary: 'Find the organization of a hostname',
        description: 'Only active custom domains resolve. Any other hostname is 404.',
        querystring: contract.resolveQuery,
        response: { 200: contract.resolved, ...codedErrors(400, 404, 500, 503) },
      },
    },
    async ({ query }, reply) => {
      // Replaces the default `no-store`, because the answer holds no personal data.
      reply.removeHeader('cache-control');
      const hostname = query.hostname.toLowerCase();
      const resolved = found(
        isHostname(hostname) ? await resolveHostname(context.sql, hostname) : undefined,
        'Hostname',
      );
      if (resolved.organization.status === 'suspended')
        throw new HttpError(503, 'The organization is suspended', { code: 'suspended' });
      return reply.header('cache-control', cacheControl).send(resolved);
    },
  );
}
