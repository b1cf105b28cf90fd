import type { Queryable, Sql } from './client.js';

/**
 * Runs `work` in a transaction that holds the lock of this name.
 * @param how `wait` waits for the lock, at most for the statement timeout
 * @param work if the connection is lost, the lock is too: the next statement fails
 * @returns undefined when another process holds the lock
 */
export const whileLocked = <T>(
  sql: Sql,
  name: string,
  how: 'try' | 'wait',
  work: (sql: Queryable) => Promise<T>,
): Promise<T | undefined> =>
  sql.begin(async (sql) => ((await (how === 'try' ? tryLock : takeLock)(sql, name)) ? work(sql) : undefined));

async function tryLock(sql: Queryable, name: string): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken
  `;
  return row?.taken === true;
}

async function takeLock(sql: Queryable, name: string): Promise<true> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  return true;
}
