import type { Organization } from 'fhir/r4.js';
import { z } from 'zod';
import { exchange, expectOk, type OutboundRequest } from '../../platform/http/outbound.js';
import { bodyOf, createdId, resourcesOf } from './bundles.js';
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
    request: Pick<OutboundRequest, 'method'> & { url: string; body?: unknown; ifNoneExist?: string },
    options: CallOptions,
  ) =>
    exchange({
      party,
      method: request.method,
      resource: 'Organization',
      url: request.url,
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
      const url = `${settings.baseUrl}/Organization?${identifierOf(organizationId)}`;
      const first = await ask({ method: 'GET', url }, options);
      const resources = await resourcesOf(settings.baseUrl, first, (url) =>
        ask({ method: 'GET', url }, options),
      );
      return resources
        .flatMap((found) => resource.safeParse(found).data ?? [])
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async create({ organizationId, name }, options) {
      const request = {
        method: 'POST',
        url: `${settings.baseUrl}/Organization`,
        body: resourceOf(organizationId, name),
        ifNoneExist: identifierOf(organizationId),
      } as const;
      const response = await ask(request, options);
      const id = createdId('Organization', response);
      return resource.safeParse(bodyOf(response)).data ?? { id, name: null };
    },
    async rename({ id, organizationId, name }, options) {
      const url = `${settings.baseUrl}/Organization/${encodeURIComponent(id)}`;
      const body = { ...resourceOf(organizationId, name), id };
      expectOk(party, await ask({ method: 'PUT', url, body }, options));
    },
    async remove(id, options) {
      const url = `${settings.baseUrl}/Organization/${encodeURIComponent(id)}`;
      const response = await ask({ method: 'DELETE', url }, options);
      if (response.status !== 404 && response.status !== 410) expectOk(party, response);
    },
  };
}
