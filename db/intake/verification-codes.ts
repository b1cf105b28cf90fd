import { codeLifetimeMs, type CodeRefusal, maxWrongCodes } from '../../domain/verification.js';
import type { Queryable } from '../client.js';

/** Makes this the one code of an address; the one before it is valid no more. */
export async function issueCode(
  sql: Queryable,
  code: { id: string; email: string; codeHash: string },
): Promise<void> {
  await sql`
    insert into intake.verification_code (email, id, code_hash, expires_at)
    values (${code.email}, ${code.id}, ${code.codeHash}, now() + ${codeLifetimeMs} * interval '1 ms')
    on conflict (email) do update set
      id = excluded.id, code_hash = excluded.code_hash, issued_at = now(), expires_at = excluded.expires_at,
      used_at = null, attempts = 0
  `;
}

/**
 * Takes one of the attempts a code has, in one statement: however many guesses come at once, no more are compared
 * than there are attempts. It counts as a wrong one until {@link useCode} gives it back.
 * @returns the code to compare with, or why there is none
 */
export async function takeAttempt(
  sql: Queryable,
  email: string,
): Promise<{ id: string; codeHash: string } | Exclude<CodeRefusal, 'invalid_code'>> {
  const [code] = await sql<{ id: string; codeHash: string }[]>`
    update intake.verification_code set attempts = attempts + 1
    where email = ${email} and expires_at > now() and used_at is null and attempts < ${maxWrongCodes}
    returning id, code_hash
  `;
  if (code) return code;
  const [refused] = await sql<{ isExpired: boolean; isUsed: boolean }[]>`
    select expires_at <= now() as is_expired, used_at is not null as is_used
    from intake.verification_code
    where email = ${email}
  `;
  if (!refused) return 'no_code_sent';
  if (refused.isExpired) return 'code_expired';
  return refused.isUsed ? 'code_already_used' : 'rate_limited';
}

/** Marks a code as used. @returns false when it was used, or replaced, in the meantime */
export async function useCode(sql: Queryable, id: string): Promise<boolean> {
  const { count } = await sql`
    update intake.verification_code set used_at = now(), attempts = attempts - 1
    where id = ${id} and used_at is null
  `;
  return count === 1;
}

/** Whether a code can still be entered: it is the address's newest, not used, not expired, not locked. */
export async function isCodeAlive(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql`
    select 1
    from intake.verification_code
    where id = ${id} and expires_at > now() and used_at is null and attempts < ${maxWrongCodes}
  `;
  return rows.length > 0;
}
