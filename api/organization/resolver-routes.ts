import { resolveHostname } from '../../db/organization/settings.js';
import { isHostname } from '../../domain/organization/custom-domains.js';
import type { App, ServiceContext } from '../context.js';
import { policiesOf } from './authorize.js';
import { codedErrors, found, HttpError } from '../http-errors.js';
import * as contract from './contract.js';

/** How long an edge may cache the answer (page 3, Limits). */
const cacheControl = 'public, max-age=60';

/** Resolves a portal's hostname for an edge, without a token (page 3, Public resolver). */
export function resolverRoutes(admin: App, context: ServiceContext): void {
  admin.get(
    '/v1/public/resolve',
    {
      config: {
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
