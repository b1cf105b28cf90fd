import type { Queryable, Sql } from './client.js';

/** Waits for something that is not this transaction's own. */
export type Outside = <T>(wait: Promise<T>) => Promise<T>;

/**
 * Does `work` in a transaction while nobody else holds the lock of this name.
 * @param how `wait` waits for its turn, at most as long as a statement may run
 * @param work what it waits for beside its own statements goes through `outside`: were the connection lost meanwhile,
 * the next statement would end the process (docs/adr/0010)
 * @returns undefined when it was not its turn
 */
export function whileLocked<T>(
  sql: Sql,
  name: string,
  how: 'try' | 'wait',
  work: (sql: Queryable, outside: Outside) => Promise<T>,
): Promise<T | undefined> {
  let isLost = false;
  // Never answered once the connection is lost, so that nothing is sent on it any more; the caller has the error.
  const outside: Outside = (wait) =>
    new Promise((resolve, reject) => {
      wait.then(
        (result) => isLost || resolve(result),
        (error: unknown) => isLost || reject(error as Error),
      );
    });
  const done = sql.begin(async (sql) =>
    (await (how === 'try' ? tryLock : takeLock)(sql, name)) ? work(sql, outside) : undefined,
  ) as Promise<T | undefined>;
  done.catch(() => (isLost = true));
  return done;
}

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
