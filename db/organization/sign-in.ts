import { first, type Queryable, type Sql } from '../client.js';
import {
  type AdminUser,
  auditAdmin,
  findAdminUser,
  lockAdmin,
  publishAdmin,
  raiseVersion,
} from './admin-users.js';
import type { Actor } from '../../domain/organization/actor.js';

/** An identity at the provider, with its verified address. */
export interface IdentityProof {
  identityProviderId: string;
  /** Lower case. */
  email: string;
  /** Keyed hash of the provider's token, which can be used once (D93). */
  token: string;
  /** The admin also entered a code mailed to the address. */
  isMailboxProved: boolean;
}

/**
 * Signs in an admin who has proven the mailbox. The first sign-in activates an invited admin (page 3, Organization
 * events).
 * @param email lower case
 * @returns undefined for an unknown or suspended admin
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
 * Signs in an admin by identity. The first time finds an unlinked admin by address and links the identity; a
 * superadmin also needs a code (D93).
 * @returns undefined for an unknown, suspended or differently linked admin, and for a used token; `code_needed` for a
 * superadmin's first time without a code, which leaves the token unused
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
    // Read again under the lock, in case another request linked it.
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

/** Finds an admin by identity, or an unlinked one by address. */
const findByIdentity = (sql: Queryable, { email, identityProviderId }: IdentityProof) =>
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

/** Invalidates all tokens of an admin, here and through the event elsewhere (D72, D92). */
export async function signOut(sql: Sql, by: Actor): Promise<void> {
  const { adminId } = by;
  await sql.begin(async (sql) => {
    await lockAdmin(sql, adminId);
    const ver = await raiseVersion(sql, adminId);
    await auditAdmin(sql, by, adminId, 'admin.user_signed_out');
    await publishAdmin(sql, adminId, 'admin.user_signed_out', { ver });
  });
}

async function activate(sql: Queryable, by: Actor): Promise<void> {
  const { adminId } = by;
  await sql`
    update organization.admin_user set state = 'active', activated_at = now(), updated_at = now()
    where id = ${adminId}
  `;
  await auditAdmin(sql, by, adminId, 'admin.user_activated');
  await publishAdmin(sql, adminId, 'admin.user_activated', {});
}

/** The recipient of a sign-in code; undefined for a suspended admin. */
export const findRecipient = (sql: Queryable, email: string) =>
  first(sql<Pick<AdminUser, 'email' | 'displayName'>[]>`
    select email, display_name from organization.admin_user
    where lower(email) = ${email} and state <> 'suspended'
  `);
