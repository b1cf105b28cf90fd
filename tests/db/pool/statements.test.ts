import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { startPostgres } from '../../faults/connections/endings.js';

let server: Awaited<ReturnType<typeof startPostgres>>;
let sql: Sql;
beforeAll(async () => {
  server = await startPostgres();
  sql = createSql(server.url(), { applicationName: 'statements', max: 1 });
});
afterAll(async () => {
  await sql.end();
  await server.stop();
});

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => 'it did not fail',
    (error: unknown) => error,
  );

describe('arrays', () => {
  test('arrays keep NULL, the text "NULL", quotes, backslashes and empty texts in both directions', async () => {
    const texts = ['a', null, 'NULL', 'q"', '\\', '{}', ',', '', ' x '];
    const [row] = await sql`select ${texts}::text[] as there, to_jsonb(${texts}::text[]) as seen`;
    expect(row).toEqual({ there: texts, seen: texts });
  });

  test('arrays of every kind that we use come back as they were sent', async () => {
    const values = {
      numbers: [1, null, 3],
      ids: ['9d3bb6ff-4c68-4a5c-8a0f-6a7d6ba1a2c0', null],
      days: ['2020-01-02', null],
      instants: [new Date(0), null],
      flags: [true, null, false],
      documents: [{ a: 'x"y\\' }, [1, 2], null, 'text', 4],
      nested: [
        ['a', null],
        ['b', 'c'],
      ],
      none: [],
    };
    const [row] = await sql`
      select ${values.numbers}::int4[] as numbers, ${values.ids}::uuid[] as ids, ${values.days}::date[] as days,
        ${sql.array(values.instants)}::timestamptz[] as instants, ${sql.array(values.flags)}::bool[] as flags,
        ${sql.array(values.documents)}::jsonb[] as documents, ${values.nested}::text[][] as nested,
        ${values.none}::text[] as none
    `;
    expect(row).toEqual(values);
  });
});

test('the stack of a failed statement names the file of the caller', async () => {
  const error = await failure(sql`select * from missing where id = ${1}`);
  expect((error as Error).stack).toContain('statements.test.ts');
});

test('two concurrent statements with parameters that cannot be written both fail, and the connection stays usable', async () => {
  const bad = () => failure(sql`select ${new Date(NaN)}::timestamptz`);
  expect(await Promise.all([bad(), bad(), bad()])).toEqual(Array(3).fill(expect.any(RangeError)));
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('a statement inside another one is a part of its text', async () => {
  const above = (n: number) => sql`where i > ${n}`;
  const rows = await sql`select i from generate_series(1, 5) as i ${above(3)} order by ${sql('i')}`;
  expect(rows).toEqual([{ i: 4 }, { i: 5 }]);
});

test('a modifier of the driver that the pool cannot support throws', () => {
  const statement = sql`select 1` as unknown as { values: () => void };
  expect(() => statement.values()).toThrow('do not support values()');
});
