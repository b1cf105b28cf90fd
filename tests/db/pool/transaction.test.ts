import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createSql, isDatabaseAway, type Queryable, type Sql } from '../../../db/client.js';
import { startPostgres } from '../../faults/connections/endings.js';

let server: Awaited<ReturnType<typeof startPostgres>>;
let sql: Sql;
let owner: Sql;
beforeAll(async () => {
  server = await startPostgres();
  sql = createSql(server.url(), { applicationName: 'transactions', max: 1 });
  owner = createSql(server.url(), { applicationName: 'owner', max: 1 });
  await owner`create table note (text text)`;
});
beforeEach(() => owner`truncate note`);
afterAll(async () => {
  await Promise.all([sql.end(), owner.end()]);
  await server.stop();
});

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => 'it did not fail',
    (error: unknown) => error,
  );
const notes = async () => (await owner<{ text: string }[]>`select text from note`).map(({ text }) => text);

test('a statement after the end of its transaction is rejected', async () => {
  let late: Queryable = sql;
  await sql.begin(async (sql) => {
    late = sql;
    await sql`insert into note values ('kept')`;
  });
  expect(String(await failure(late`insert into note values ('late')`))).toContain('has ended');
  expect(await notes()).toEqual(['kept']);
});

test('a savepoint that outlives its transaction sends nothing to the next one', async () => {
  let fail: () => void = () => undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = () => reject(new Error('late'));
  });
  let savepoint: Promise<unknown> = Promise.resolve();
  const first = sql.begin(async (sql) => {
    savepoint = failure(sql.savepoint(() => failing));
    await sql`select 1`;
    throw new Error('first');
  });
  expect(await failure(first)).toEqual(new Error('first'));
  await sql.begin(async (sql) => {
    await sql`insert into note values ('next')`;
    fail();
    await savepoint;
  });
  expect(await notes()).toEqual(['next']);
});

test('a statement that nobody waits for still fails its transaction', async () => {
  const error = await failure(
    sql.begin(async (sql) => {
      await sql`insert into note values ('never')`;
      void sql`select 1 / 0`.catch(() => undefined);
    }),
  );
  expect(error).toMatchObject({ code: '22012' });
  expect(await notes()).toEqual([]);
});

test('a failed savepoint undoes only its own statements', async () => {
  await sql.begin(async (sql) => {
    await sql`insert into note values ('outer')`;
    const inner = sql.savepoint(async (sql) => {
      await sql`insert into note values ('inner')`;
      await sql`select ${new Date(NaN)}::timestamptz`;
    });
    expect(await failure(inner)).toBeInstanceOf(RangeError);
  });
  expect(await notes()).toEqual(['outer']);
});

test('a lost connection rejects its transaction at once, even while the work waits for something else', async () => {
  const lost = sql.begin(async (sql) => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await owner`select pg_terminate_backend(${row!.pid})`;
    await new Promise(() => undefined);
  });
  expect(isDatabaseAway(await failure(lost))).toBe(true);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});
