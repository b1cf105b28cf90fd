import type { Organization } from 'fhir/r4.js';
import { z } from 'zod';
import { type CallLimits, expectOk } from '../../platform/http/outbound.js';
import { bodyOf, createdId, hasIdentifier, isOfAnother, resourcesOf } from './bundles.js';
import { callFhir, type FhirServer, party } from './fhir.js';

/** The identifier system of our organization ids in the EMR. */
const organizationIdSystem = 'https://scriptrail.health/organization';

const resource = z
  .looseObject({ resourceType: z.literal('Organization'), id: z.string(), name: z.string().optional() })
  .transform(({ id, name }) => ({ id, name: name ?? null }));

const ownIdentifier = (organizationId: string) => ({ system: organizationIdSystem, value: organizationId });
const resourceOf = (organizationId: string, name: string): Organization => ({
  resourceType: 'Organization',
  active: true,
  identifier: [ownIdentifier(organizationId)],
  name,
});
const identifierOf = (organizationId: string): string =>
  `identifier=${encodeURIComponent(`${organizationIdSystem}|${organizationId}`)}`;
const pathOf = (id: string): string => `/Organization/${encodeURIComponent(id)}`;

export type EmrOrganizations = ReturnType<typeof createEmrOrganizations>;

/** The EMR's organizations (FHIR R4). All methods throw OutboundError. */
export const createEmrOrganizations = (server: FhirServer) => ({
  /** Finds the organizations with our id, in a fixed order. */
  async find(organizationId: string, limits: CallLimits) {
    const path = `/Organization?${identifierOf(organizationId)}`;
    const response = await callFhir(server, { method: 'GET', path }, limits);
    const resources = await resourcesOf(server.baseUrl, response, (url) =>
      callFhir(server, { method: 'GET', path: '/Organization', url }, limits),
    );
    const own = resources.filter((found) => hasIdentifier(found, ownIdentifier(organizationId)));
    const organizations = own.flatMap((found) => resource.safeParse(found).data ?? []);
    return organizations.sort((a, b) => (a.id < b.id ? -1 : 1));
  },

  /**
   * Creates an organization unless the EMR has one with this identifier.
   * @returns undefined if the EMR answers with one that lacks it
   */
  async create({ organizationId, name }: { organizationId: string; name: string }, limits: CallLimits) {
    const headers = { 'if-none-exist': identifierOf(organizationId) };
    const body = resourceOf(organizationId, name);
    const response = await callFhir(server, { method: 'POST', path: '/Organization', body, headers }, limits);
    const id = createdId('Organization', response);
    if (isOfAnother(response, ownIdentifier(organizationId))) return undefined;
    return resource.safeParse(bodyOf(response)).data ?? { id, name: null };
  },

  async rename(
    { id, organizationId, name }: { id: string; organizationId: string; name: string },
    limits: CallLimits,
  ): Promise<void> {
    const body = { ...resourceOf(organizationId, name), id };
    expectOk(party, await callFhir(server, { method: 'PUT', path: pathOf(id), body }, limits));
  },

  /** Deletes an organization; a missing one counts as deleted. */
  async remove(id: string, limits: CallLimits): Promise<void> {
    const response = await callFhir(server, { method: 'DELETE', path: pathOf(id) }, limits);
    if (response.status !== 404 && response.status !== 410) expectOk(party, response);
  },
});
