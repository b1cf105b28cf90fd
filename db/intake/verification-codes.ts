import { codeLifetimeMs, maxWrongCodes } from '../../domain/intake/intake.js';
import type { Queryable } from '../client.js';

/** The window for counting the codes of an address (D6). */
const windowMinutes = 10;

export interface CodeBudget {
  isIssued: boolean;
  /** Codes that the address can still get. */
  remaining: number;
  /** Seconds until the full number is available again. */
  resetsInSeconds: number;
}

/**
 * Replaces the code of an address. The database counts the codes, because each new code allows new attempts; a
 * restart or another process adds none.
 * @param code `address` is a keyed hash
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
  /** Only a live code verifies; the other states are reported only to a caller who sends that code (D92). */
  state: 'live' | 'expired' | 'used';
}

/**
 * Takes one attempt of a code in a single statement, so that concurrent guesses cannot exceed the limit. The attempt
 * counts as wrong until {@link useCode} or {@link giveAttemptBack} returns it.
 * @param address keyed hash
 * @returns the code to compare, or why there is none
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

/** @returns false when it was used or replaced meanwhile */
export async function useCode(sql: Queryable, id: string): Promise<boolean> {
  const { count } = await sql`
    update intake.verification_code set used_at = now(), attempts = attempts - 1
    where id = ${id} and used_at is null
  `;
  return count === 1;
}

/** Returns an attempt whose code was right, whether or not it could be used. */
export async function giveAttemptBack(sql: Queryable, id: string): Promise<void> {
  await sql`
    update intake.verification_code set attempts = attempts - 1 where id = ${id} and attempts > 0
  `;
}

/** Deletes codes an hour after they expire (D92); the window of {@link issueCode} is shorter. */
export async function dropOldCodes(sql: Queryable): Promise<void> {
  await sql`delete from intake.verification_code where expires_at < now() - interval '1 hour'`;
}

/** True when a code can still be entered. */
export async function isCodeAlive(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql`
    select 1
    from intake.verification_code
    where id = ${id} and expires_at > now() and used_at is null and attempts < ${maxWrongCodes}
  `;
  return rows.length > 0;
}
