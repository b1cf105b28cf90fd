import { resolveHostname } from '../../db/organization/settings.js';
import { isHostname } from '../../domain/organization/custom-domains.js';
import type { App, ServiceContext } from '../context.js';
import { policiesOf } from './authorize.js';
import { codedErrors, found, HttpError } from '../http-errors.js';
import * as contract from './contract.js';

/** For how long an edge may keep the answer (page 3, Limits). */
const cacheControl = 'public, max-age=60';

/** Whose portal a hostname is: what an edge asks, without a token (page 3, Public resolver). */
export function resolverRoutes(admin: App, context: ServiceContext): void {
  admin.get(
    '/v1/public/resolve',
    {
      config: {
        policy: policiesOf(context).anyone,
        access: { none: 'public: what a patient portal looks like' },
      },
      schema: {
        tags: ['Resolver'],
        summary: 'The organization that a hostname belongs to',
        description: 'Only active custom domains resolve; one that is not active is as unknown as any other.',
        querystring: contract.resolveQuery,
        response: { 200: contract.resolved, ...codedErrors(400, 404, 500, 503) },
      },
    },
    async ({ query }, reply) => {
      // Nothing of a person; an edge may keep what it is told to.
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
