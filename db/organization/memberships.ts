import {
  type Granter,
  isReduction,
  mayGrant,
  mayRevoke,
  type Role,
} from '../../domain/organization/memberships.js';
import { notAllowed, type Refusal, unknown } from '../../domain/organization/organizations.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { auditAdmin, findAdminUser, lockAdmin, publishAdmin, raiseVersion } from './admin-users.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';
import { changeOrganization } from './organizations.js';
import type { Scope } from './scope.js';

export interface AdminMembership {
  adminUserId: string;
  organizationId: string;
  role: Role;
  createdAt: Date;
}

export interface MembershipKey {
  scope: Scope;
  adminId: string;
  organizationId: string;
  /** The role of the caller. */
  granter: Granter;
}

/**
 * Grants a role, replacing the current one. A grant takes effect with the next token. A reduction invalidates the
 * issued tokens and first publishes the end of the old role (D72).
 */
export async function grantMembership(
  sql: Sql,
  { scope, adminId, organizationId, granter }: MembershipKey,
  role: Role,
  by: Actor,
): Promise<AdminMembership | Refusal> {
  return changeOrganization(sql, scope, organizationId, async (sql) => {
    if (!(await mayMeet(sql, scope, adminId))) return unknown('Admin user');
    const present = await findMembership(sql, adminId, organizationId);
    if (!mayGrant(granter, role, present?.role ?? null))
      return notAllowed('Only a superadmin grants org_admin or changes one');
    if (present?.role === role) return present;
    if (present && isReduction(present.role, role)) await publishRevoked(sql, present);
    await sql`
      insert into organization.admin_membership (admin_id, organization_id, role)
      values (${adminId}, ${organizationId}, ${role})
      on conflict (admin_id, organization_id) do update set role = excluded.role, created_at = now()
    `;
    const granted = await findMembership(sql, adminId, organizationId);
    if (!granted) throw new Error('A membership was not stored');
    await auditAdmin(sql, by, adminId, 'admin.membership_granted', organizationId);
    await publishAdmin(sql, adminId, 'admin.membership_granted', { organizationId, role }, organizationId);
    return granted;
  });
}

export async function revokeMembership(
  sql: Sql,
  { scope, adminId, organizationId, granter }: MembershipKey,
  by: Actor,
): Promise<AdminMembership | Refusal> {
  return changeOrganization(sql, scope, organizationId, async (sql) => {
    await lockAdmin(sql, adminId);
    const present = await findMembership(sql, adminId, organizationId);
    if (!present) return unknown('Membership');
    if (!mayRevoke(granter, present.role)) return notAllowed('Only a superadmin revokes org_admin');
    await sql`
      delete from organization.admin_membership
      where admin_id = ${adminId} and organization_id = ${organizationId}
    `;
    await auditAdmin(sql, by, adminId, 'admin.membership_revoked', organizationId);
    await publishRevoked(sql, present);
    return present;
  });
}

/** True for an admin in the caller's scope, or without any membership (D77). */
async function mayMeet(sql: Queryable, scope: Scope, adminId: string): Promise<boolean> {
  const admin = await lockAdmin(sql, adminId);
  if (!admin) return false;
  if (scope === 'all') return true;
  if (admin.isSuperadmin) return false;
  if (await findAdminUser(sql, scope, adminId)) return true;
  const [elsewhere] = await sql`
    select from organization.admin_membership where admin_id = ${adminId} limit 1
  `;
  return elsewhere === undefined;
}

const findMembership = (sql: Queryable, adminId: string, organizationId: string) =>
  first(sql<AdminMembership[]>`
    select admin_id as admin_user_id, organization_id, role, created_at
    from organization.admin_membership
    where admin_id = ${adminId} and organization_id = ${organizationId}
  `);

async function publishRevoked(
  sql: Queryable,
  { adminUserId, organizationId, role }: AdminMembership,
): Promise<void> {
  const ver = await raiseVersion(sql, adminUserId);
  const detail = { organizationId, role, ver };
  await publishAdmin(sql, adminUserId, 'admin.membership_revoked', detail, organizationId);
}

export interface PhysicianMembership {
  physicianId: string;
  organizationId: string;
  createdAt: Date;
}

/** Links a physician to an organization. Idempotent. */
export async function grantPhysician(
  sql: Sql,
  scope: Scope,
  key: Pick<PhysicianMembership, 'physicianId' | 'organizationId'>,
  by: Actor,
): Promise<PhysicianMembership | Refusal> {
  return changeOrganization(sql, scope, key.organizationId, async (sql) => {
    const { physicianId, organizationId } = key;
    const [granted] = await sql<PhysicianMembership[]>`
      insert into organization.physician_membership (physician_id, organization_id)
      values (${physicianId}, ${organizationId})
      on conflict do nothing
      returning physician_id, organization_id, created_at
    `;
    if (granted) {
      await publishPhysician(sql, granted, 'physician.membership_granted', by);
      return granted;
    }
    const [present] = await sql<[PhysicianMembership]>`
      select physician_id, organization_id, created_at
      from organization.physician_membership
      where physician_id = ${physicianId} and organization_id = ${organizationId}
    `;
    return present;
  });
}

export async function revokePhysician(
  sql: Sql,
  scope: Scope,
  { physicianId, organizationId }: Pick<PhysicianMembership, 'physicianId' | 'organizationId'>,
  by: Actor,
): Promise<PhysicianMembership | Refusal> {
  return changeOrganization(sql, scope, organizationId, async (sql) => {
    const [revoked] = await sql<PhysicianMembership[]>`
      delete from organization.physician_membership
      where physician_id = ${physicianId} and organization_id = ${organizationId}
      returning physician_id, organization_id, created_at
    `;
    if (!revoked) return unknown('Membership');
    await publishPhysician(sql, revoked, 'physician.membership_revoked', by);
    return revoked;
  });
}

async function publishPhysician(
  sql: Queryable,
  { physicianId, organizationId }: PhysicianMembership,
  detailType: `physician.${string}`,
  by: Actor,
): Promise<void> {
  await writeAudit(sql, by, { action: detailType, target: `physician:${physicianId}`, organizationId });
  await publishEvent(sql, 'organization', {
    detailType,
    aggregateId: organizationId,
    organizationId,
    detail: { organizationId, physicianId },
  });
}
