import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../db/client.js';
import type { Role } from '../../../domain/organization/memberships.js';
import { adminToken, type Answer, callAs, shared } from '../../helpers/client.js';

export const dev = shared();

export interface Tenant {
  id: string;
  slug: string;
  displayName: string;
  kind: string;
  emrOrganizationId: string;
  status: string;
  createdAt: string;
  updatedAt: string;
}
export interface Admin {
  id: string;
  email: string;
  displayName: string;
  state: string;
  isSuperadmin: boolean;
  identityProviderId: string | null;
  memberships: { organizationId: string; role: Role }[];
}

/** A call with a token of the organization service; `undefined`: with none. */
export const ask = <T = Record<string, unknown>>(
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> => callAs<T>(dev, 'organization', token, { method, path, body });

export const root = (): Promise<string> => adminToken(dev);
export const freshSlug = (): string => `t-${randomUUID()}`;
export const freshEmail = (): string => `${randomUUID()}@example.test`;

/** A new tenant, made over the API. */
export async function newTenant(): Promise<Tenant> {
  const body = { slug: freshSlug(), displayName: 'Clinic', kind: 'dtc' };
  const { status, body: answer } = await ask<{ organization: Tenant }>(
    await root(),
    'POST',
    '/v1/organizations',
    body,
  );
  if (status !== 201) throw new Error(`no tenant: ${status} ${JSON.stringify(answer)}`);
  return answer.organization;
}

export async function invite(): Promise<Admin> {
  const body = { email: freshEmail(), displayName: 'Kim' };
  return (await ask<{ adminUser: Admin }>(await root(), 'POST', '/v1/admin-users', body)).body.adminUser;
}

export const grant = async (adminId: string, organizationId: string, role: Role) =>
  ask(await root(), 'POST', `/v1/admin-users/${adminId}/memberships`, { organizationId, role });

/** A token as it is issued to an admin with these memberships. */
export const tokenOf = (sub: string, memberships: Partial<Record<Role, Tenant>>, ver = 0): Promise<string> =>
  adminToken(dev, {
    sub,
    isSuperadmin: false,
    memberships: Object.entries(memberships).map(([role, { id }]) => ({ orgId: id, role: role as Role })),
    ver,
  });

/** A new admin with a role in a tenant, and a token. */
export async function newAdmin(tenant: Tenant, role: Role): Promise<Admin & { token: string }> {
  const admin = await invite();
  const { status } = await grant(admin.id, tenant.id, role);
  if (status !== 201) throw new Error(`no membership: ${status}`);
  return { ...admin, token: await tokenOf(admin.id, { [role]: tenant }) };
}

/** What was published for an aggregate, oldest first. */
export const eventsOf = (sql: Sql, aggregateId: string) => sql<
  { detailType: string; organizationId: string | null; detail: Record<string, unknown> }[]
>`
  select detail_type, organization_id, detail from organization.outbox
  where aggregate_id = ${aggregateId} order by sequence
`;

/** An answer that refuses, in the service's shape. */
export const refused = (status: number, error: string) => ({ status, body: { error } });
export const invalid = (...paths: string[]) => ({
  status: 400,
  body: { error: 'validation_failed', details: paths.map((path) => ({ path })) },
});
