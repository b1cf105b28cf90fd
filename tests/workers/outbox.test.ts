import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createOutboxActivities, type OutboxDependencies } from '../../activities/outbox.js';
import { createSql, type Queryable, type Sql } from '../../db/client.js';
import { appendToOutbox, type OutboxEntry, redriveDead } from '../../db/outbox.js';
import { createLogger } from '../../platform/logger.js';
import { eventually, shared } from '../helpers/client.js';

const dev = shared();
const logger = createLogger({ level: 'silent' });
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 30 });
});
afterAll(() => sql.end());

/** An outbox like a service's own, in a schema of its own. */
async function withOutbox(use: (schema: string) => Promise<void>): Promise<void> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await sql`create schema ${sql(schema)}`;
  await sql`create table ${sql(`${schema}.outbox`)} (like router.outbox including all)`;
  try {
    await use(schema);
  } finally {
    await sql`drop schema ${sql(schema)} cascade`;
  }
}

/** Runs a relay until `during` has seen what it wants. */
async function relaying(
  schema: string,
  ship: OutboxDependencies['ship'],
  during: () => Promise<void>,
  sweeps: OutboxDependencies['sweeps'] = [],
): Promise<void> {
  const stopping = new AbortController();
  const relay = createOutboxActivities({
    sql,
    schema,
    ship,
    sweeps,
    stopping: stopping.signal,
    logger,
  });
  const ended = new MockActivityEnvironment().run(() => relay.relayOutbox());
  try {
    await during();
  } finally {
    stopping.abort();
    await ended;
  }
}

const add = (sql: Queryable, schema: string, aggregateId: string, n: number) =>
  appendToOutbox(sql, schema, {
    source: 'test',
    detailType: 'test.happened',
    aggregateId,
    organizationId: null,
    detail: { n },
  });
const nOf = ({ detail }: OutboxEntry) => (detail as { n: number }).n;
const outageOfTemporal = () =>
  Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'away', metadata: {} });

describe('the relay', () => {
  test('ships an entry with all it says, within moments of its commit', () =>
    withOutbox(async (schema) => {
      const shipped: OutboxEntry[] = [];
      await relaying(
        schema,
        async (entry) => void shipped.push(entry),
        async () => {
          await add(sql, schema, 'a', 1);
          const committedAt = performance.now();
          await eventually(async () => shipped.length === 1);
          // Long before the poll: the notification works.
          expect(performance.now() - committedAt).toBeLessThan(4_800);
        },
      );
      expect(shipped).toEqual([
        {
          id: expect.any(String),
          source: 'test',
          detailType: 'test.happened',
          aggregateId: 'a',
          organizationId: null,
          detail: { n: 1 },
          time: expect.any(Date),
        },
      ]);
    }));

  test('finds the entry of a transaction that commits after later ones were shipped', () =>
    withOutbox(async (schema) => {
      const shipped: string[] = [];
      await relaying(
        schema,
        async ({ aggregateId }) => void shipped.push(aggregateId),
        async () => {
          await sql.begin(async (late) => {
            await add(late, schema, 'late', 1);
            await add(sql, schema, 'early', 1);
            await eventually(async () => shipped.includes('early'));
          });
          await eventually(async () => shipped.includes('late'));
        },
      );
      expect(shipped).toEqual(['early', 'late']);
    }));

  test('dates an entry by its insertion, so that times follow the order also where its transaction began first', () =>
    withOutbox(async (schema) => {
      await sql.begin(async (first) => {
        await first`select now()`;
        await add(sql, schema, 'a', 1);
        await add(first, schema, 'a', 2);
      });
      const byTime = await sql<{ detail: { n: number } }[]>`
        select detail from ${sql(`${schema}.outbox`)} order by time
      `;
      expect(byTime.map(({ detail }) => detail.n)).toEqual([1, 2]);
    }));

  test('keeps the order of each aggregate with eight writers whose transactions overlap', () =>
    withOutbox(async (schema) => {
      await sql`create table ${sql(`${schema}.aggregate`)} (id text primary key, last integer not null default 0)`;
      const aggregates = Array.from({ length: 12 }, (_each, index) => `aggregate-${index}`);
      for (const id of aggregates) await sql`insert into ${sql(`${schema}.aggregate`)} (id) values (${id})`;
      const shipped = new Map<string, number[]>(aggregates.map((id) => [id, []]));
      const write = async (writer: number) => {
        for (let round = 0; round < 40; round += 1) {
          const id = aggregates[(writer * 7 + round * 5) % aggregates.length]!;
          await sql.begin(async (sql) => {
            const [row] = await sql<{ last: number }[]>`
              update ${sql(`${schema}.aggregate`)} set last = last + 1 where id = ${id} returning last
            `;
            await add(sql, schema, id, row!.last);
            // Holds it open, so that what was numbered first often commits last.
            await sql`select pg_sleep(${((writer + round) % 5) / 400})`;
          });
        }
      };
      await relaying(
        schema,
        async (entry) => void shipped.get(entry.aggregateId)?.push(nOf(entry)),
        async () => {
          await Promise.all(Array.from({ length: 8 }, (_each, writer) => write(writer)));
          await eventually(async () => [...shipped.values()].flat().length >= 320);
        },
      );
      for (const numbers of shipped.values())
        expect(numbers).toEqual(Array.from({ length: numbers.length }, (_each, index) => index + 1));
      expect([...shipped.values()].flat()).toHaveLength(320);
    }));

  test('sets a poison entry aside: its own aggregate waits, the others go on; driven again, it goes in order', () =>
    withOutbox(async (schema) => {
      const shipped: string[] = [];
      let isPoison = true;
      const ship = async (entry: OutboxEntry) => {
        if (isPoison && entry.aggregateId === 'poison' && nOf(entry) === 1)
          throw new Error('cannot be shipped');
        shipped.push(`${entry.aggregateId}-${nOf(entry)}`);
      };
      await add(sql, schema, 'poison', 1);
      await add(sql, schema, 'poison', 2);
      await add(sql, schema, 'well', 1);
      // Its tries before the last one, without their pauses.
      await sql`update ${sql(`${schema}.outbox`)} set attempts = 19 where aggregate_id = 'poison'`;
      await relaying(schema, ship, async () => {
        const [dead] = await eventually(async () => {
          const rows = await sql<{ lastError: string; attempts: number }[]>`
            select last_error, attempts from ${sql(`${schema}.outbox`)} where dead_at is not null
          `;
          return rows.length > 0 && rows;
        });
        expect(dead).toEqual({ lastError: 'Error: cannot be shipped', attempts: 20 });
        await add(sql, schema, 'well', 2);
        await eventually(async () => shipped.length === 2);
        expect(shipped).toEqual(['well-1', 'well-2']);

        isPoison = false;
        const window = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
        expect(await redriveDead(sql, schema, window)).toBe(1);
        await eventually(async () => shipped.length === 4);
      });
      expect(shipped.slice(2)).toEqual(['poison-1', 'poison-2']);
    }));

  test('counts nothing against an entry while Temporal is away', () =>
    withOutbox(async (schema) => {
      let tries = 0;
      const ship = async () => {
        tries += 1;
        if (tries <= 2) throw outageOfTemporal();
      };
      await add(sql, schema, 'a', 1);
      await relaying(schema, ship, async () => {
        await eventually(async () => tries === 1);
        await add(sql, schema, 'b', 1);
        await eventually(async () => tries >= 3);
      });
      const rows = await sql<{ attempts: number; lastError: string | null }[]>`
        select attempts, last_error from ${sql(`${schema}.outbox`)}
      `;
      for (const { attempts, lastError } of rows) expect([attempts <= 1, lastError]).toEqual([true, null]);
    }));

  test('beside another one ships each entry once', () =>
    withOutbox(async (schema) => {
      const shipped: number[] = [];
      const ship = async (entry: OutboxEntry) => void shipped.push(nOf(entry));
      await relaying(schema, ship, () =>
        relaying(schema, ship, async () => {
          for (let n = 0; n < 60; n += 1) await add(sql, schema, `a-${n}`, n);
          await eventually(async () => {
            const [left] = await sql<{ count: number }[]>`
              select count(*)::integer as count from ${sql(`${schema}.outbox`)} where shipped_at is null
            `;
            return left?.count === 0;
          });
        }),
      );
      expect(shipped.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_each, n) => n));
    }));

  test('sweeps at its start, and a sweep that fails stops nothing', () =>
    withOutbox(async (schema) => {
      const swept: string[] = [];
      const shipped: number[] = [];
      const sweeps = [
        async () => {
          swept.push('first');
          throw new Error('a sweep that fails');
        },
        async () => void swept.push('second'),
      ];
      const ship = async (entry: OutboxEntry) => void shipped.push(nOf(entry));
      await relaying(
        schema,
        ship,
        async () => {
          await eventually(async () => swept.length === 2);
          await add(sql, schema, 'a', 1);
          await eventually(async () => shipped.length === 1);
        },
        sweeps,
      );
      expect(swept).toEqual(['first', 'second']);
    }));

  test('ends at once when its worker stops or it is cancelled', () =>
    withOutbox(async (schema) => {
      const startedAt = performance.now();
      await relaying(
        schema,
        async () => undefined,
        async () => undefined,
      );
      const env = new MockActivityEnvironment();
      const { signal } = new AbortController();
      const relay = createOutboxActivities({
        sql,
        schema,
        ship: async () => undefined,
        sweeps: [],
        stopping: signal,
        logger,
      });
      const ended = env.run(() => relay.relayOutbox());
      env.cancel();
      await ended;
      expect(performance.now() - startedAt).toBeLessThan(4_800);
    }));
});
