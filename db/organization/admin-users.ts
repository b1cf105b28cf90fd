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
  /** The subject at the identity provider; null before a sign-in through it. */
  identityProviderId: string | null;
  isSuperadmin: boolean;
  state: AdminState;
  /** The revocation counter that tokens carry (D72). */
  ver: number;
  /** The memberships in organizations that the reader may see and that are not archived. */
  memberships: { organizationId: string; role: Role }[];
  createdAt: Date;
  updatedAt: Date;
}

/** A row with the memberships that fall into a scope. */
const adminColumns = (sql: Queryable, scope: Scope) => sql`
  admin.id, admin.email, admin.display_name, admin.identity_provider_id, admin.is_superadmin, admin.state, admin.ver,
  admin.created_at, admin.updated_at,
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

/** A colleague: a member of an organization of the scope that is not archived, or invited by one. */
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

export const findAdminUser = (sql: Queryable, scope: Scope, id: string): Promise<AdminUser | undefined> =>
  first(sql<AdminUser[]>`
    select ${adminColumns(sql, scope)}
    from organization.admin_user admin
    where admin.id = ${id} and ${colleague(sql, scope)}
  `);

/** @param email in whatever case */
export const findAdminByEmail = (sql: Queryable, email: string): Promise<AdminUser | undefined> =>
  first(sql<AdminUser[]>`
    select ${adminColumns(sql, 'all')} from organization.admin_user admin where lower(admin.email) = lower(${email})
  `);

/** Reads an admin whose row was written or locked in this transaction. */
async function requireAdmin(sql: Queryable, id: string): Promise<AdminUser> {
  const admin = await findAdminUser(sql, 'all', id);
  if (!admin) throw new Error('The admin user is gone');
  return admin;
}

/** Lists admins in the order of adding. The next page starts after `position`. */
export const listAdminUsers = (
  sql: Queryable,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<(AdminUser & { position: string })[]> =>
  sql<(AdminUser & { position: string })[]>`
    select ${adminColumns(sql, scope)}, admin.position
    from organization.admin_user admin
    where admin.position > ${after} and ${colleague(sql, scope)}
    order by admin.position
    limit ${limit}
  `;

/** Finds what tells whether a token still holds. */
export const findSession = (
  sql: Queryable,
  id: string,
): Promise<Pick<AdminUser, 'state' | 'ver'> | undefined> =>
  first(sql<Pick<AdminUser, 'state' | 'ver'>[]>`
    select state, ver from organization.admin_user where id = ${id}
  `);

/** The admin's row, held until the transaction ends: an admin's events have the order of these locks. */
export const lockAdmin = (
  sql: Queryable,
  id: string,
): Promise<(Pick<AdminUser, 'state' | 'isSuperadmin'> & { hasSignedIn: boolean }) | undefined> =>
  first(sql<(Pick<AdminUser, 'state' | 'isSuperadmin'> & { hasSignedIn: boolean })[]>`
    select state, is_superadmin, activated_at is not null as has_signed_in
    from organization.admin_user
    where id = ${id}
    for update
  `);

/**
 * Invites a person, whom the notification service then writes to.
 * @param invitedBy the organization of the inviting admin; null: a superadmin
 * @returns a conflict for an address that was invited before (D74)
 */
export async function inviteAdmin(
  sql: Sql,
  { email, displayName, invitedBy }: { email: string; displayName: string; invitedBy: string | null },
  by: Actor,
): Promise<AdminUser | Refusal> {
  try {
    return await sql.begin(async (sql): Promise<AdminUser> => {
      const [{ id }] = await sql<[{ id: string }]>`
        insert into organization.admin_user (email, display_name, invited_by_organization_id)
        values (${email}, ${displayName}, ${invitedBy})
        returning id
      `;
      await writeAudit(sql, by, {
        action: 'admin.user_invited',
        target: `admin_user:${id}`,
        organizationId: invitedBy,
      });
      await publishAdmin(sql, id, 'admin.user_invited', { email, displayName, organizationId: invitedBy });
      return requireAdmin(sql, id);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'admin_user_email')
      return conflicting('An admin user with this email already exists');
    throw error;
  }
}

/** Locks an admin out, at once: tokens issued before end with the raised counter (D72). */
export async function suspendAdmin(sql: Sql, id: string, by: Actor): Promise<AdminUser | Refusal> {
  // The last superadmin who locks himself out would leave nobody to let him in again.
  if (id === by.adminId) return conflicting('Nobody suspends themselves');
  return changeAdmin(sql, id, async (sql, { state }) => {
    if (state === 'suspended') return conflicting('The admin user is suspended');
    const ver = await raiseVersion(sql, id, 'suspended');
    await writeAudit(sql, by, {
      action: 'admin.user_suspended',
      target: `admin_user:${id}`,
      organizationId: null,
    });
    await publishAdmin(sql, id, 'admin.user_suspended', { ver });
    return null;
  });
}

export async function reactivateAdmin(sql: Sql, id: string, by: Actor): Promise<AdminUser | Refusal> {
  return changeAdmin(sql, id, async (sql, { state, hasSignedIn }) => {
    if (state !== 'suspended') return conflicting(`The admin user is ${state}`);
    await raiseVersion(sql, id, reactivatedState(hasSignedIn));
    await writeAudit(sql, by, {
      action: 'admin.user_reactivated',
      target: `admin_user:${id}`,
      organizationId: null,
    });
    return null;
  });
}

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

/** Ends every token issued before. @returns the raised counter */
export async function raiseVersion(sql: Queryable, id: string, state?: AdminState): Promise<number> {
  const [{ ver }] = await sql<[{ ver: number }]>`
    update organization.admin_user set ver = ver + 1, state = coalesce(${state ?? null}, state), updated_at = now()
    where id = ${id}
    returning ver
  `;
  return ver;
}

/** Tells of a change to an admin; the detail's organization, where it has one, is the envelope's too for memberships. */
export async function publishAdmin(
  sql: Queryable,
  adminUserId: string,
  detailType: `admin.${string}`,
  detail: Record<string, string | number | null>,
  organizationId: string | null = null,
): Promise<void> {
  await publishEvent(sql, 'organization', {
    source: 'organization',
    detailType,
    aggregateId: adminUserId,
    organizationId,
    detail: { adminUserId, ...detail },
  });
}

/** Adds a superadmin who may sign in at once. @returns false where the id or the address is there: it stays as it is */
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
