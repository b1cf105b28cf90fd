import type { Organization } from 'fhir/r4.js';
import { z } from 'zod';
import { exchange, expectOk, type OutboundRequest, parseAnswer } from '../../platform/http/outbound.js';
import type { CallOptions } from './client.js';

const party = 'EMR';
/** The system of the identifier under which the EMR knows a tenant of ours: the organization's id. */
const organizationIdSystem = 'https://scriptrail.health/organization';

interface EmrOrganization {
  id: string;
  name: string | null;
}

/** We need this of the EMR's organizations (FHIR R4). All throw OutboundError. */
export interface EmrOrganizations {
  /** Finds those that bear our organization's id, the first of them always the same. */
  find: (organizationId: string, options: CallOptions) => Promise<EmrOrganization[]>;
  /** Makes one, unless the EMR has one with this identifier already. */
  create: (
    organization: { organizationId: string; name: string },
    options: CallOptions,
  ) => Promise<EmrOrganization>;
  rename: (
    organization: { id: string; organizationId: string; name: string },
    options: CallOptions,
  ) => Promise<void>;
  /** One that is gone already is as good as deleted. */
  remove: (id: string, options: CallOptions) => Promise<void>;
}

const resource = z
  .looseObject({ resourceType: z.literal('Organization'), id: z.string(), name: z.string().optional() })
  .transform(({ id, name }): EmrOrganization => ({ id, name: name ?? null }));
const bundle = z.object({ entry: z.array(z.object({ resource })).optional() });

const resourceOf = (organizationId: string, name: string): Organization => ({
  resourceType: 'Organization',
  active: true,
  identifier: [{ system: organizationIdSystem, value: organizationId }],
  name,
});
const identifierOf = (organizationId: string): string =>
  `identifier=${encodeURIComponent(`${organizationIdSystem}|${organizationId}`)}`;

export function createEmrOrganizations(settings: { baseUrl: string; token: string }): EmrOrganizations {
  const ask = (
    request: Pick<OutboundRequest, 'method'> & { path: string; body?: unknown; ifNoneExist?: string },
    options: CallOptions,
  ) =>
    exchange({
      party,
      method: request.method,
      resource: 'Organization',
      url: settings.baseUrl + request.path,
      headers: {
        authorization: `Bearer ${settings.token}`,
        accept: 'application/fhir+json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/fhir+json' }),
        ...(request.ifNoneExist === undefined ? {} : { 'if-none-exist': request.ifNoneExist }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...options,
    });

  return {
    async find(organizationId, options) {
      const path = `/Organization?${identifierOf(organizationId)}`;
      const { entry = [] } = parseAnswer(party, await ask({ method: 'GET', path }, options), bundle);
      return entry.map((found) => found.resource).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async create({ organizationId, name }, options) {
      const request = {
        method: 'POST',
        path: '/Organization',
        body: resourceOf(organizationId, name),
        ifNoneExist: identifierOf(organizationId),
      } as const;
      return parseAnswer(party, await ask(request, options), resource);
    },
    async rename({ id, organizationId, name }, options) {
      const path = `/Organization/${encodeURIComponent(id)}`;
      const body = { ...resourceOf(organizationId, name), id };
      expectOk(party, await ask({ method: 'PUT', path, body }, options));
    },
    async remove(id, options) {
      const path = `/Organization/${encodeURIComponent(id)}`;
      const response = await ask({ method: 'DELETE', path }, options);
      if (response.status !== 404 && response.status !== 410) expectOk(party, response);
    },
  };
}
