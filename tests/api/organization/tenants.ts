import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../db/client.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import type { Role } from '../../../domain/organization/memberships.js';
import { issueAdminToken } from '../../../platform/crypto/admin-token.js';
import { adminToken, type Answer, callAs, shared } from '../../helpers/client.js';
import { asOwner } from '../patients/directory.js';

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

/** A new tenant, as its creation leaves it; nobody was told of it. */
export async function newTenant(): Promise<Tenant> {
  const id = randomUUID();
  const row = { id, slug: freshSlug(), displayName: 'Clinic', kind: 'dtc', emrOrganizationId: `emr-${id}` };
  await asOwner(dev, (sql) => sql`insert into organization.organization ${sql(row)}`);
  const { body } = await ask<{ organization: Tenant }>(await root(), 'GET', `/v1/organizations/${id}`);
  return body.organization;
}

/** The same, made over the API. */
export async function createTenant(): Promise<Tenant> {
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

/** A new admin, as an invitation leaves them; nobody was told of it. */
export async function newInvited(): Promise<Admin> {
  const admin = { id: randomUUID(), email: freshEmail(), displayName: 'Kim' };
  await asOwner(dev, (sql) => sql`insert into organization.admin_user ${sql(admin)}`);
  return { ...admin, state: 'invited', isSuperadmin: false, identityProviderId: null, memberships: [] };
}

/** The same, invited over the API. */
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

/** A token of whoever holds the secret, for an admin there need not be. */
export const forgedToken = (sub: string): Promise<string> =>
  issueAdminToken(loadSecrets(defaultStateDir()).adminJwtSecret, {
    sub,
    kind: 'admin',
    isSuperadmin: false,
    memberships: [],
    ver: 0,
  });

/** A new admin with a role in a tenant, and a token. */
export async function newAdmin(tenant: Tenant, role: Role): Promise<Admin & { token: string }> {
  const admin = await newInvited();
  const { status } = await grant(admin.id, tenant.id, role);
  if (status !== 201) throw new Error(`no membership: ${status}`);
  return { ...admin, token: await tokenOf(admin.id, { [role]: tenant }) };
}

/** Published events of an aggregate, oldest first. */
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
