import type { Queryable, Sql } from './client.js';

/**
 * Does `work` in a transaction while nobody else holds the lock of this name.
 * @param how `wait` waits for its turn, at most as long as a statement may run
 * @param work where the connection ends meanwhile, so does the lock: its next statement is refused
 * @returns undefined when it was not its turn
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
