import type { Queryable } from '../client.js';

/** A code lives 10 minutes and is judged five times at most, as on page 2, Verification code. */
const lifetime = '10 minutes';
const maxAttempts = 5;

export interface NewCode {
  /** Keyed hash of the address. */
  address: string;
  id: string;
  codeHash: string;
  /** Codes an address may be sent within 10 minutes: each brings new attempts. */
  maxPerWindow: number;
}

/** Puts a code in the place of the address's last one. @returns false when it was sent too many already */
export async function putCode(
  sql: Queryable,
  { address, id, codeHash, maxPerWindow }: NewCode,
): Promise<boolean> {
  const { count } = await sql`
    insert into organization.sign_in_code as code (address, id, code_hash, expires_at)
    values (${address}, ${id}, ${codeHash}, now() + ${lifetime}::interval)
    on conflict (address) do update set
      id = excluded.id, code_hash = excluded.code_hash, expires_at = excluded.expires_at, attempts = 0, used_at = null,
      window_began_at =
        case when code.window_began_at < now() - ${lifetime}::interval then now() else code.window_began_at end,
      sent_in_window =
        case when code.window_began_at < now() - ${lifetime}::interval then 1 else code.sent_in_window + 1 end
    where code.window_began_at < now() - ${lifetime}::interval or code.sent_in_window < ${maxPerWindow}
  `;
  return count > 0;
}

/**
 * Takes one of the attempts that a code has, before it is judged: of any number of guesses at once five are judged.
 * @returns undefined when there is none left, or no code that could be right
 */
export async function takeAttempt(
  sql: Queryable,
  address: string,
): Promise<{ id: string; codeHash: string } | undefined> {
  const [code] = await sql<{ id: string; codeHash: string }[]>`
    update organization.sign_in_code set attempts = attempts + 1
    where address = ${address} and attempts < ${maxAttempts} and used_at is null and expires_at > now()
    returning id, code_hash
  `;
  return code;
}

/** Whether a code can still be entered: it is the address's newest, not used, not expired, not locked. */
export async function isCodeAlive(sql: Queryable, id: string): Promise<boolean> {
  const { count } = await sql`
    select from organization.sign_in_code
    where id = ${id} and expires_at > now() and used_at is null and attempts < ${maxAttempts}
  `;
  return count > 0;
}

/** Uses a code up. @returns false when it was used, or replaced, in the meantime */
export async function useCode(sql: Queryable, address: string, id: string): Promise<boolean> {
  const { count } = await sql`
    update organization.sign_in_code set used_at = now()
    where address = ${address} and id = ${id} and used_at is null
  `;
  return count > 0;
}

/** Forgets codes, and how many were sent, once neither counts any more. */
export async function dropOldCodes(sql: Queryable): Promise<void> {
  await sql`
    delete from organization.sign_in_code
    where expires_at < now() - ${lifetime}::interval and window_began_at < now() - ${lifetime}::interval
  `;
}
