import { first, type Queryable, type Sql } from '../client.js';
import { type AdminUser, findAdminUser, lockAdmin, publishAdmin, raiseVersion } from './admin-users.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';

/** An identity at the provider, with the address it vouches for. */
export interface IdentityProof {
  identityProviderId: string;
  /** Lower case. */
  email: string;
  /** Keyed hash of what the provider signed: such a token signs in once (D93). */
  token: string;
  /** Whether a code that was mailed to the address was entered too. */
  isMailboxProved: boolean;
}

/**
 * Lets in an admin who has proved to have the mailbox. The first sign-in activates one who was invited (page 3,
 * Organization events).
 * @param email lower case
 * @returns undefined for whoever is no admin or is suspended
 */
export const signInByMailbox = (
  sql: Sql,
  email: string,
  from: Omit<Actor, 'adminId'>,
): Promise<AdminUser | undefined> =>
  sql.begin(async (sql): Promise<AdminUser | undefined> => {
    const [admin] = await sql<{ id: string }[]>`
      select id from organization.admin_user where lower(email) = ${email}
    `;
    return admin && letIn(sql, admin.id, from);
  });

/**
 * Lets in an admin by an identity. The first time finds one without an identity by the address, and links it; a
 * superadmin is never linked by the address alone (D93).
 * @returns undefined for whoever is no admin, is suspended, or is linked to another identity, and for a token that was
 * used; `code_needed` for a superadmin's first time without a code, which uses nothing up
 */
export async function signInByIdentity(
  sql: Sql,
  proof: IdentityProof,
  from: Omit<Actor, 'adminId'>,
): Promise<AdminUser | 'code_needed' | undefined> {
  const { identityProviderId, token, isMailboxProved } = proof;
  return sql.begin(async (sql): Promise<AdminUser | 'code_needed' | undefined> => {
    const id = (await findByIdentity(sql, proof))?.id;
    const locked = id === undefined ? undefined : await lockAdmin(sql, id);
    if (id === undefined || !locked || locked.state === 'suspended') return undefined;
    // Looked for again, now that nobody else links it.
    const found = await findByIdentity(sql, proof);
    if (found?.id !== id) return undefined;
    if (!found.isLinked && locked.isSuperadmin && !isMailboxProved) return 'code_needed';

    const { count } = await sql`
      insert into organization.used_id_token (token) values (${token}) on conflict do nothing
    `;
    if (count === 0) return undefined;
    if (!found.isLinked)
      await sql`
        update organization.admin_user set identity_provider_id = ${identityProviderId} where id = ${id}
      `;
    return letIn(sql, id, from);
  });
}

/** Finds an admin by the identity, and by the address only one who has no identity yet. */
const findByIdentity = (
  sql: Queryable,
  { email, identityProviderId }: IdentityProof,
): Promise<{ id: string; isLinked: boolean } | undefined> =>
  first(sql<{ id: string; isLinked: boolean }[]>`
    select id, identity_provider_id is not null as is_linked from organization.admin_user
    where identity_provider_id = ${identityProviderId}
      or (lower(email) = ${email} and identity_provider_id is null)
    order by identity_provider_id nulls last
    limit 1
  `);

async function letIn(
  sql: Queryable,
  id: string,
  from: Omit<Actor, 'adminId'>,
): Promise<AdminUser | undefined> {
  const locked = await lockAdmin(sql, id);
  if (!locked || locked.state === 'suspended') return undefined;
  if (locked.state === 'invited') await activate(sql, { adminId: id, ...from });
  return findAdminUser(sql, 'all', id);
}

/** Ends all tokens of an admin, here at once and elsewhere with the event (D72, D92). */
export async function signOut(sql: Sql, by: Actor): Promise<void> {
  const { adminId } = by;
  await sql.begin(async (sql) => {
    await lockAdmin(sql, adminId);
    const ver = await raiseVersion(sql, adminId);
    await writeAudit(sql, by, {
      action: 'admin.user_signed_out',
      target: `admin_user:${adminId}`,
      organizationId: null,
    });
    await publishAdmin(sql, adminId, 'admin.user_signed_out', { ver });
  });
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
export const findRecipient = (
  sql: Queryable,
  email: string,
): Promise<Pick<AdminUser, 'email' | 'displayName'> | undefined> =>
  first(sql<Pick<AdminUser, 'email' | 'displayName'>[]>`
    select email, display_name from organization.admin_user
    where lower(email) = ${email} and state <> 'suspended'
  `);
