import { codeLifetimeMs, type CodeRefusal, maxWrongCodes } from '../../domain/intake/verification.js';
import type { Queryable } from '../client.js';

/** Codes of an address are counted over this time (D6). */
const windowMinutes = 10;

export interface CodeBudget {
  isIssued: boolean;
  /** Codes the address may still be sent. */
  remaining: number;
  /** After so long it may be sent the full number again. */
  resetsInSeconds: number;
}

/**
 * Makes this the one code of an address; the one before it is valid no more. Counted here and not in a process's
 * memory, since every new code brings new attempts: neither a restart nor a second process adds any.
 */
export async function issueCode(
  sql: Queryable,
  code: { id: string; email: string; codeHash: string },
  maxCodes: number,
): Promise<CodeBudget> {
  const windowEnd = sql`code.window_started_at + ${windowMinutes} * interval '1 minute'`;
  const [issued] = await sql<{ windowCodes: number; resetsInSeconds: number }[]>`
    insert into intake.verification_code as code (email, id, code_hash, expires_at)
    values (${code.email}, ${code.id}, ${code.codeHash}, now() + ${codeLifetimeMs} * interval '1 millisecond')
    on conflict (email) do update set
      id = excluded.id, code_hash = excluded.code_hash, issued_at = now(), expires_at = excluded.expires_at,
      used_at = null, attempts = 0,
      window_started_at = case when ${windowEnd} <= now() then now() else code.window_started_at end,
      window_codes = case when ${windowEnd} <= now() then 1 else code.window_codes + 1 end
    where ${windowEnd} <= now() or code.window_codes < ${maxCodes}
    returning window_codes, ceil(extract(epoch from ${windowEnd} - now()))::int as resets_in_seconds
  `;
  if (issued)
    return {
      isIssued: true,
      remaining: Math.max(0, maxCodes - issued.windowCodes),
      resetsInSeconds: issued.resetsInSeconds,
    };
  const [refused] = await sql<{ resetsInSeconds: number }[]>`
    select ceil(extract(epoch from ${windowEnd} - now()))::int as resets_in_seconds
    from intake.verification_code as code
    where email = ${code.email}
  `;
  return { isIssued: false, remaining: 0, resetsInSeconds: Math.max(1, refused?.resetsInSeconds ?? 1) };
}

export interface IssuedCode {
  id: string;
  codeHash: string;
  issuedAt: Date;
}

/**
 * Takes one of the attempts a code has, in one statement: however many guesses come at once, no more are compared
 * than there are attempts. It counts as a wrong one until {@link useCode} or {@link giveAttemptBack} gives it back.
 * @returns the code to compare with, or why there is none
 */
export async function takeAttempt(
  sql: Queryable,
  email: string,
): Promise<IssuedCode | Exclude<CodeRefusal, 'invalid_code'>> {
  const [code] = await sql<IssuedCode[]>`
    update intake.verification_code set attempts = attempts + 1
    where email = ${email} and expires_at > now() and used_at is null and attempts < ${maxWrongCodes}
    returning id, code_hash, issued_at
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

/** Takes an attempt for not made: the code was right, and could not be used for a fault of ours. */
export async function giveAttemptBack(sql: Queryable, id: string): Promise<void> {
  await sql`
    update intake.verification_code set attempts = attempts - 1 where id = ${id} and used_at is null
  `;
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
