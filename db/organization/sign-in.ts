import type { Queryable, Sql } from '../client.js';
import { type AdminUser, findAdminUser, lockAdmin, publishAdmin } from './admin-users.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';

/** Who has proved to be whom: a mailbox, or an identity at the provider with the address it vouches for. */
export interface Proof {
  /** Lower case. */
  email: string;
  identityProviderId: string | null;
}

/**
 * Lets an admin in. The first sign-in activates one who was invited and links the identity (page 3, Organization events).
 * @returns undefined for whoever is no admin, is suspended, or is linked to another identity
 */
export async function signIn(
  sql: Sql,
  proof: Proof,
  from: Omit<Actor, 'adminId'>,
): Promise<AdminUser | undefined> {
  return sql.begin(async (sql): Promise<AdminUser | undefined> => {
    const id = await findByProof(sql, proof);
    const locked = id === undefined ? undefined : await lockAdmin(sql, id);
    if (id === undefined || !locked || locked.state === 'suspended') return undefined;
    const { identityProviderId } = proof;
    await sql`
      update organization.admin_user set identity_provider_id = coalesce(${identityProviderId}, identity_provider_id)
      where id = ${id} and identity_provider_id is distinct from coalesce(${identityProviderId}, identity_provider_id)
    `;
    if (locked.state === 'invited') await activate(sql, { adminId: id, ...from });
    return findAdminUser(sql, 'all', id);
  });
}

/** Finds an admin by the identity, and by the address only one who has no identity yet. */
async function findByProof(
  sql: Queryable,
  { email, identityProviderId }: Proof,
): Promise<string | undefined> {
  const [admin] = await sql<{ id: string }[]>`
    select id from organization.admin_user
    where ${
      identityProviderId === null
        ? sql`lower(email) = ${email}`
        : sql`identity_provider_id = ${identityProviderId}
            or (lower(email) = ${email} and identity_provider_id is null)`
    }
    order by identity_provider_id nulls last
    limit 1
  `;
  return admin?.id;
}

async function activate(sql: Queryable, by: Actor): Promise<void> {
  const { adminId } = by;
  await sql`
    update organization.admin_user set state = 'active', activated_at = now(), updated_at = now()
    where id = ${adminId}
  `;
  await writeAudit(sql, by, {
    action: 'admin.user_activated',
    target: `admin_user:${adminId}`,
    organizationId: null,
  });
  await publishAdmin(sql, adminId, 'admin.user_activated', {});
}

/** Finds the admin whom a code for signing in is mailed to; one who is suspended gets none. */
export async function findRecipient(
  sql: Queryable,
  email: string,
): Promise<Pick<AdminUser, 'email' | 'displayName'> | undefined> {
  const [admin] = await sql<Pick<AdminUser, 'email' | 'displayName'>[]>`
    select email, display_name from organization.admin_user
    where lower(email) = ${email} and state <> 'suspended'
  `;
  return admin;
}
