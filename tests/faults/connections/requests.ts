import { setTimeout as sleep } from 'node:timers/promises';
import { createSql, isDatabaseAway, type Sql } from '../../../db/client.js';

/** Longer than anything below takes by itself; what takes longer after its connection ended is said to hang. */
export const hangsAfterMs = 30_000;

/** Results of the requests that ran while connections ended. */
export interface Tally {
  requests: number;
  failed: number;
  slowestMs: number;
  /** Neither an answer nor the error of a database that is away. */
  strange: string[];
}

/** One kind of request each, with what its answer must be. */
export const kinds: Readonly<Record<string, (sql: Sql, url: string) => Promise<void>>> = {
  async 'a statement'(sql) {
    const rows =
      await sql`select i, pg_sleep(0.004) from generate_series(1, 5) as i where i = any(${[1, 2, 3]})`;
    expectEqual(
      rows.map(({ i }) => i as number),
      [1, 2, 3],
    );
  },
  async 'a statement that the database refuses'(sql) {
    const error: unknown = await sql`select 1 / ${0}::int`.catch((error: unknown) => error);
    if ((error as { code?: string }).code !== '22012') throw error;
  },
  'a transaction': (sql) => transaction(sql, 0),
  'a transaction with a pause in it': (sql) => transaction(sql, 15),
  async 'a transaction that changes its mind'(sql) {
    const changed = new Error('changed its mind');
    await sql
      .begin(async (sql) => {
        await sql`insert into pair values (gen_random_uuid(), 'never')`;
        await sleep(5);
        throw changed;
      })
      .catch((error: unknown) => {
        if (error !== changed) throw error;
      });
  },
  async 'a transaction in which a part is taken back'(sql) {
    await sql.begin(async (sql) => {
      await sql`insert into pair values (gen_random_uuid(), 'never')`;
      await sql.savepoint((sql) => sql`select 1 / 0`).catch(() => undefined);
      await sleep(2);
      await sql`delete from pair where half = 'never'`;
    });
  },
  async 'a pool of its own'(_sql, url) {
    const sql = createSql(url, { applicationName: 'endings', max: 2 });
    try {
      await Promise.all([sql`select 1`, sql`select 2`, sql`select 3`]);
    } finally {
      await sql.end();
    }
  },
};

/** Both halves of it must exist. */
export const committed: string[] = [];

/** Both halves or none. */
async function transaction(sql: Sql, pauseMs: number): Promise<void> {
  const id = crypto.randomUUID();
  await sql.begin(async (sql) => {
    await sql`insert into pair values (${id}, 'first')`;
    await sleep(pauseMs);
    await Promise.all([
      sql`select pg_sleep(0.003)`,
      sql`insert into pair values (${id}, 'second')`,
      // More than fits into the socket at once.
      sql`select length(${'x'.repeat(40_000)}) as length`,
    ]);
  });
  committed.push(id);
}

/** Makes requests of this kind one after the other until told to stop. */
export async function keepAsking(
  { sql, url, kind, isStopped }: { sql: Sql; url: string; kind: string; isStopped: () => boolean },
  tally: Tally,
): Promise<void> {
  while (!isStopped()) {
    const start = performance.now();
    tally.requests++;
    const hanging = setTimeout(() => tally.strange.push(`${kind} hangs`), hangsAfterMs);
    await kinds[kind]?.(sql, url).catch((error: unknown) => {
      tally.failed++;
      if (!isDatabaseAway(error)) tally.strange.push(`${kind}: ${String(error)}`);
    });
    clearTimeout(hanging);
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - start);
    await sleep(1);
  }
}

function expectEqual(actual: readonly number[], expected: readonly number[]): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`rows ${JSON.stringify(actual)}`);
}
