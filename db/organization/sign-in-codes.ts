import type { Queryable, Sql } from '../client.js';
import { lockAdmin, publishAdmin } from './admin-users.js';

/** As on page 2, Verification code. */
const lifetime = '10 minutes';
const maxAttempts = 5;
/** Wrong codes for one admin and network address within a day; then its entries wait for the next one (D161). */
const maxWrongPerDay = 20;
/** Wrong codes for one admin from everywhere; then one entry a minute is judged, and one code an hour sent (D161). */
const maxWrongInAll = 50;
const slowPace = '1 minute';
const slowSending = '1 hour';
const day = '1 day';

/** The address, and its budgets for one way to sign in; each way has its own. */
export interface CodesOf {
  /** Keyed hash of the address. */
  address: string;
  /** Keyed hash of the address, the way to sign in and the caller's network address. */
  budget: string;
  /** The same for all network addresses. */
  budgetInAll: string;
}

export interface NewCode extends CodesOf {
  id: string;
  codeHash: string;
  /** Codes allowed within 10 minutes, because each code allows new attempts. */
  maxPerWindow: number;
}

/**
 * Adds a code to an address; earlier ones stay valid (D92).
 * @returns in how many seconds the next code is allowed, after too many codes or wrong entries
 */
export const putCode = (
  sql: Sql,
  { address, budget, budgetInAll, id, codeHash, maxPerWindow }: NewCode,
): Promise<{ refusedForSeconds: number | undefined }> =>
  sql.begin(async (sql) => {
    await lockCodes(sql, address);
    const [refused] = await sql<{ seconds: number }[]>`
      select ceil(extract(epoch from until - now()))::int as seconds
      from organization.sign_in_budget
      cross join lateral (values
        (window_began_at + ${lifetime}::interval, sent_in_window >= ${maxPerWindow} and key = ${budgetInAll}),
        (
          window_began_at + ${slowSending}::interval,
          sent_in_window > 0 and key = ${budgetInAll}
            and wrong_in_day >= ${maxWrongInAll} and day_began_at > now() - ${day}::interval
        ),
        (day_began_at + ${day}::interval, wrong_in_day >= ${maxWrongPerDay} and key = ${budget})
      ) as used (until, is_up)
      where key in (${budget}, ${budgetInAll}) and is_up and until > now()
      order by until desc
      limit 1
    `;
    if (refused) return { refusedForSeconds: Math.max(1, refused.seconds) };
    await sql`
      insert into organization.sign_in_budget as known (key, sent_in_window) values (${budgetInAll}, 1)
      on conflict (key) do update set
        window_began_at =
          case when known.window_began_at < now() - ${lifetime}::interval then now() else known.window_began_at end,
        sent_in_window =
          case when known.window_began_at < now() - ${lifetime}::interval then 1 else known.sent_in_window + 1 end
    `;
    await sql`
      insert into organization.sign_in_code (address, id, code_hash, expires_at)
      values (${address}, ${id}, ${codeHash}, now() + ${lifetime}::interval)
    `;
    return { refusedForSeconds: undefined };
  });

/** One request at a time about the codes of an address, until the transaction ends. */
const lockCodes = (sql: Queryable, address: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in codes of ${address}`}, 0))`;

export type Judgement =
  | { verdict: 'right' | 'wrong' }
  /** Seconds until a code of this caller is judged. */
  | { verdict: 'later'; seconds: number };

/**
 * Checks an entered code against all valid codes of an address, one request at a time. A right one invalidates them
 * all; a wrong one costs each an attempt. The twentieth wrong one of a day notifies the admin.
 * @param email lower case
 */
export const judgeCode = (
  sql: Sql,
  { address, budget, budgetInAll, email }: CodesOf & { email: string },
  isRight: (code: { id: string; codeHash: string }) => boolean,
): Promise<Judgement> =>
  sql.begin(async (sql): Promise<Judgement> => {
    await lockCodes(sql, address);
    const [later] = await sql<{ seconds: number }[]>`
      select ceil(extract(epoch from
        case when key = ${budget} then day_began_at + ${day}::interval else last_entry_at + ${slowPace}::interval end - now()
      ))::int as seconds
      from organization.sign_in_budget
      where day_began_at >= now() - ${day}::interval and (
        (key = ${budget} and wrong_in_day >= ${maxWrongPerDay})
        or (key = ${budgetInAll} and wrong_in_day >= ${maxWrongInAll} and last_entry_at > now() - ${slowPace}::interval)
      )
      order by seconds desc
      limit 1
    `;
    if (later) return { verdict: 'later', seconds: Math.max(1, later.seconds) };
    const valid = await sql<{ id: string; codeHash: string }[]>`
      select id, code_hash from organization.sign_in_code
      where address = ${address} and attempts < ${maxAttempts} and used_at is null and expires_at > now()
    `;
    if (valid.length === 0) return { verdict: 'wrong' };
    if (valid.some(isRight)) {
      await sql`
        update organization.sign_in_code set used_at = now() where address = ${address} and used_at is null
      `;
      return { verdict: 'right' };
    }
    await sql`
      update organization.sign_in_code set attempts = attempts + 1 where id in ${sql(valid.map(({ id }) => id))}
    `;
    await countWrong(sql, budget);
    if ((await countWrong(sql, budgetInAll)) === maxWrongPerDay) await publishLock(sql, email);
    return { verdict: 'wrong' };
  });

/** @returns the wrong codes of the day that starts with the first one */
async function countWrong(sql: Queryable, budget: string): Promise<number> {
  const [{ wrong }] = await sql<[{ wrong: number }]>`
    insert into organization.sign_in_budget as known (key, wrong_in_day, last_entry_at)
    values (${budget}, 1, now())
    on conflict (key) do update set
      day_began_at =
        case when known.wrong_in_day = 0 or known.day_began_at < now() - ${day}::interval then now()
          else known.day_began_at end,
      wrong_in_day =
        case when known.day_began_at < now() - ${day}::interval then 1 else known.wrong_in_day + 1 end,
      last_entry_at = now()
    returning wrong_in_day as wrong
  `;
  return wrong;
}

/** Makes the notification service write to the admin, if the address belongs to one. */
async function publishLock(sql: Queryable, email: string): Promise<void> {
  const [admin] = await sql<{ id: string; email: string; displayName: string }[]>`
    select id, email, display_name from organization.admin_user
    where lower(email) = ${email} and state <> 'suspended'
  `;
  if (!admin) return;
  const { id, displayName } = admin;
  await lockAdmin(sql, id);
  await publishAdmin(sql, id, 'admin.sign_in_locked', { email: admin.email, displayName });
}

/** True when a code can still be entered. */
export async function isCodeAlive(sql: Queryable, id: string): Promise<boolean> {
  const { count } = await sql`
    select from organization.sign_in_code
    where id = ${id} and expires_at > now() and used_at is null and attempts < ${maxAttempts}
  `;
  return count > 0;
}

/** Deletes codes, budgets and used tokens that no longer count. */
export async function dropOldCodes(sql: Queryable): Promise<void> {
  await sql`delete from organization.sign_in_code where expires_at < now() - ${lifetime}::interval`;
  await sql`
    delete from organization.sign_in_budget
    where window_began_at < now() - ${lifetime}::interval
      and (wrong_in_day = 0 or day_began_at < now() - ${day}::interval)
  `;
  // A token is valid for 10 minutes after it was issued (D93).
  await sql`delete from organization.used_id_token where used_at < now() - interval '1 hour'`;
}
