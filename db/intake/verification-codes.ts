import { codeLifetimeMs, maxWrongCodes } from '../../domain/intake/intake.js';
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
 * @param code `address` is the keyed hash of one
 */
export async function issueCode(
  sql: Queryable,
  code: { id: string; address: string; codeHash: string },
  maxCodes: number,
): Promise<CodeBudget> {
  const windowEnd = sql`code.window_started_at + ${windowMinutes} * interval '1 minute'`;
  const [issued] = await sql<{ windowCodes: number; resetsInSeconds: number }[]>`
    insert into intake.verification_code as code (address, id, code_hash, expires_at)
    values (${code.address}, ${code.id}, ${code.codeHash}, now() + ${codeLifetimeMs} * interval '1 millisecond')
    on conflict (address) do update set
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
    where address = ${code.address}
  `;
  return { isIssued: false, remaining: 0, resetsInSeconds: Math.max(1, refused?.resetsInSeconds ?? 1) };
}

export interface IssuedCode {
  id: string;
  codeHash: string;
  issuedAt: Date;
  /** Only a live one verifies anything; of the others nobody hears who does not send that very code (D92). */
  state: 'live' | 'expired' | 'used';
}

/**
 * Takes one of the attempts a code has, in one statement: however many guesses come at once, no more are compared
 * than there are attempts. It counts as a wrong one until {@link useCode} or {@link giveAttemptBack} gives it back.
 * @param address keyed hash of one
 * @returns the code to compare with, or why there is none
 */
export async function takeAttempt(
  sql: Queryable,
  address: string,
): Promise<IssuedCode | 'no_code_sent' | 'rate_limited'> {
  const state = sql`
    case when expires_at <= now() then 'expired' when used_at is not null then 'used' else 'live' end as state
  `;
  const [code] = await sql<IssuedCode[]>`
    update intake.verification_code set attempts = attempts + 1
    where address = ${address} and attempts < ${maxWrongCodes}
    returning id, code_hash, issued_at, ${state}
  `;
  if (code) return code;
  const [locked] = await sql<Pick<IssuedCode, 'state'>[]>`
    select ${state} from intake.verification_code where address = ${address}
  `;
  return locked?.state === 'live' ? 'rate_limited' : 'no_code_sent';
}

/** Marks a code as used. @returns false when it was used, or replaced, in the meantime */
export async function useCode(sql: Queryable, id: string): Promise<boolean> {
  const { count } = await sql`
    update intake.verification_code set used_at = now(), attempts = attempts - 1
    where id = ${id} and used_at is null
  `;
  return count === 1;
}

/** Takes an attempt for not made: the code was the right one, whether or not it could be used. */
export async function giveAttemptBack(sql: Queryable, id: string): Promise<void> {
  await sql`
    update intake.verification_code set attempts = attempts - 1 where id = ${id} and attempts > 0
  `;
}

/** Forgets codes an hour after they expired (D92); how many an address was sent counts for a shorter time. */
export async function dropOldCodes(sql: Queryable): Promise<void> {
  await sql`delete from intake.verification_code where expires_at < now() - interval '1 hour'`;
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
