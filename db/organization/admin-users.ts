import { type AdminState, reactivatedState, type Role } from '../../domain/organization/memberships.js';
import { conflicting, type Refusal, unknown } from '../../domain/organization/organizations.js';
import { first, type Queryable, type Sql } from '../client.js';
import { violatedConstraint } from '../constraints.js';
import { publishEvent } from '../outbox.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';
import { type Scope, within } from './scope.js';

export interface AdminUser {
  id: string;
  email: string;
  displayName: string;
  /** The subject at the identity provider; null before the first sign-in through it. */
  identityProviderId: string | null;
  isSuperadmin: boolean;
  /** Works the desk for all organizations (D141). */
  isOperator: boolean;
  state: AdminState;
  /** The revocation counter in tokens (D72). */
  ver: number;
  /** Memberships in organizations that the caller can see and that are not archived. */
  memberships: { organizationId: string; role: Role }[];
  createdAt: Date;
  updatedAt: Date;
}

const adminColumns = (sql: Queryable, scope: Scope) => sql`
  admin.id, admin.email, admin.display_name, admin.identity_provider_id, admin.is_superadmin, admin.is_operator, admin.state,
  admin.ver, admin.created_at, admin.updated_at,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('organizationId', organization_id, 'role', role) order by organization_id)
      from organization.admin_membership membership
      join organization.organization tenant on tenant.id = membership.organization_id
      where membership.admin_id = admin.id and tenant.status <> 'archived'
        and ${within(sql, scope, 'membership.organization_id')}
    ),
    '[]'
  ) as memberships
`;

/** True for members of an unarchived organization in the scope, and for admins it invited. */
const colleague = (sql: Queryable, scope: Scope) =>
  scope === 'all'
    ? sql`true`
    : sql`
        exists (
          select from organization.organization tenant
          where tenant.status <> 'archived' and ${within(sql, scope, 'tenant.id')}
            and (
              tenant.id = admin.invited_by_organization_id
              or exists (
                select from organization.admin_membership membership
                where membership.admin_id = admin.id and membership.organization_id = tenant.id
              )
            )
        )
      `;

export const findAdminUser = (sql: Queryable, scope: Scope, id: string) =>
  first(sql<AdminUser[]>`
    select ${adminColumns(sql, scope)}
    from organization.admin_user admin
    where admin.id = ${id} and ${colleague(sql, scope)}
  `);

/** @param email in any case */
export const findAdminByEmail = (sql: Queryable, email: string) =>
  first(sql<AdminUser[]>`
    select ${adminColumns(sql, 'all')} from organization.admin_user admin where lower(admin.email) = lower(${email})
  `);

async function requireAdmin(sql: Queryable, id: string): Promise<AdminUser> {
  const admin = await findAdminUser(sql, 'all', id);
  if (!admin) throw new Error('The admin user is gone');
  return admin;
}

/** Oldest first. `position` is the cursor of the next page. */
export const listAdminUsers = (
  sql: Queryable,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
) =>
  sql<(AdminUser & { position: string })[]>`
    select ${adminColumns(sql, scope)}, admin.position
    from organization.admin_user admin
    where admin.position > ${after} and ${colleague(sql, scope)}
    order by admin.position
    limit ${limit}
  `;

/** The fields that decide whether a token is valid. */
export const findSession = (sql: Queryable, id: string) =>
  first(sql<Pick<AdminUser, 'state' | 'ver' | 'isSuperadmin' | 'isOperator'>[]>`
    select state, ver, is_superadmin, is_operator from organization.admin_user where id = ${id}
  `);

/** Locks the admin's row until the transaction ends, which orders the admin's events. */
export const lockAdmin = (sql: Queryable, id: string) =>
  first(sql<(Pick<AdminUser, 'state' | 'isSuperadmin'> & { hasSignedIn: boolean })[]>`
    select state, is_superadmin, activated_at is not null as has_signed_in
    from organization.admin_user
    where id = ${id}
    for update
  `);

const maxInvitationsPerHour = 20;

/**
 * Invites an admin; the notification service sends the mail.
 * @param invitedBy the organization of the inviting admin; null for a superadmin
 * @returns a conflict for an address that exists (D74), `tooMany` for an organization that has reached its limit (D165)
 */
export async function inviteAdmin(
  sql: Sql,
  { email, displayName, invitedBy }: { email: string; displayName: string; invitedBy: string | null },
  by: Actor,
): Promise<AdminUser | Refusal | 'tooMany'> {
  try {
    return await sql.begin(async (sql): Promise<AdminUser | 'tooMany'> => {
      if (invitedBy !== null && (await countInvitations(sql, invitedBy)) >= maxInvitationsPerHour)
        return 'tooMany';
      const [{ id }] = await sql<[{ id: string }]>`
        insert into organization.admin_user (email, display_name, invited_by_organization_id)
        values (${email}, ${displayName}, ${invitedBy})
        returning id
      `;
      await auditAdmin(sql, by, id, 'admin.user_invited', invitedBy);
      await publishAdmin(sql, id, 'admin.user_invited', { email, displayName, organizationId: invitedBy });
      return requireAdmin(sql, id);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'admin_user_email')
      return conflicting('An admin user with this email already exists');
    throw error;
  }
}

/**
 * Counts the admins whom the admins of an organization invited within an hour (D165). Locks the organization's row, so
 * that concurrent invitations count each other.
 */
async function countInvitations(sql: Queryable, organizationId: string): Promise<number> {
  await sql`select from organization.organization where id = ${organizationId} for no key update`;
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from organization.admin_user
    where invited_by_organization_id = ${organizationId} and created_at > now() - interval '1 hour'
  `;
  return count;
}

/** Suspends an admin. The raised counter invalidates all tokens at once (D72). */
export async function suspendAdmin(sql: Sql, id: string, by: Actor): Promise<AdminUser | Refusal> {
  // The last superadmin could otherwise lock everybody out.
  if (id === by.adminId) return conflicting('Nobody suspends themselves');
  return changeAdmin(sql, id, async (sql, { state }) => {
    if (state === 'suspended') return conflicting('The admin user is suspended');
    const ver = await raiseVersion(sql, id, 'suspended');
    await auditAdmin(sql, by, id, 'admin.user_suspended');
    await publishAdmin(sql, id, 'admin.user_suspended', { ver });
    return null;
  });
}

export async function reactivateAdmin(sql: Sql, id: string, by: Actor): Promise<AdminUser | Refusal> {
  return changeAdmin(sql, id, async (sql, { state, hasSignedIn }) => {
    if (state !== 'suspended') return conflicting(`The admin user is ${state}`);
    await raiseVersion(sql, id, reactivatedState(hasSignedIn));
    await auditAdmin(sql, by, id, 'admin.user_reactivated');
    return null;
  });
}

/** Makes somebody an operator, or no longer one, which invalidates all tokens (D141). Idempotent. */
export async function setOperator(
  sql: Sql,
  id: string,
  isOperator: boolean,
  by: Actor,
): Promise<AdminUser | Refusal> {
  return changeAdmin(sql, id, async (sql) => {
    const { count } = await sql`
      update organization.admin_user set is_operator = ${isOperator}, updated_at = now()
      where id = ${id} and is_operator <> ${isOperator}
    `;
    if (count === 0) return null;
    await auditAdmin(sql, by, id, isOperator ? 'admin.operator_granted' : 'admin.operator_revoked');
    if (!isOperator)
      await publishAdmin(sql, id, 'admin.operator_revoked', { ver: await raiseVersion(sql, id) });
    return null;
  });
}

export const auditAdmin = (
  sql: Queryable,
  by: Actor,
  id: string,
  action: `admin.${string}`,
  organizationId: string | null = null,
) => writeAudit(sql, by, { action, target: `admin_user:${id}`, organizationId });

const changeAdmin = (
  sql: Sql,
  id: string,
  change: (sql: Queryable, admin: { state: AdminState; hasSignedIn: boolean }) => Promise<Refusal | null>,
): Promise<AdminUser | Refusal> =>
  sql.begin(async (sql): Promise<AdminUser | Refusal> => {
    const admin = await lockAdmin(sql, id);
    if (!admin) return unknown('Admin user');
    const result = await change(sql, admin);
    if (result) return result;
    return requireAdmin(sql, id);
  });

/** Invalidates all tokens issued before. @returns the raised counter */
export async function raiseVersion(sql: Queryable, id: string, state?: AdminState): Promise<number> {
  const [{ ver }] = await sql<[{ ver: number }]>`
    update organization.admin_user set ver = ver + 1, state = coalesce(${state ?? null}, state), updated_at = now()
    where id = ${id}
    returning ver
  `;
  return ver;
}

/** Publishes a change to an admin. @param organizationId of the envelope; set for memberships */
export async function publishAdmin(
  sql: Queryable,
  adminUserId: string,
  detailType: `admin.${string}`,
  detail: Record<string, string | number | null>,
  organizationId: string | null = null,
): Promise<void> {
  await publishEvent(sql, 'organization', {
    detailType,
    aggregateId: adminUserId,
    organizationId,
    detail: { adminUserId, ...detail },
  });
}

/** Adds an active superadmin. @returns false, with nothing changed, when the id or address exists */
export async function addMissingSuperadmin(
  sql: Queryable,
  { id, email, displayName }: Pick<AdminUser, 'id' | 'email' | 'displayName'>,
): Promise<boolean> {
  const { count } = await sql`
    insert into organization.admin_user (id, email, display_name, is_superadmin, state, activated_at)
    values (${id}, ${email}, ${displayName}, true, 'active', now())
    on conflict do nothing
  `;
  return count > 0;
}
