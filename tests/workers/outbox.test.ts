import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Queryable, type Sql } from '../../db/client.js';
import { appendToOutbox, outboxChannel, type OutboxEntry } from '../../db/outbox.js';
import { redriveEntries } from '../../db/redrive.js';
import { createLogger, type Logger } from '../../platform/logger.js';
import { type Outbox, passOutbox } from '../../starts/outbox.js';
import { startRelay, startSweeps } from '../../workers/beside.js';
import type { Sweep } from '../../workers/context.js';
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

/** A pause between two looks that is longer than a test may take. */
const neverMs = 3_600_000;
/** Runs a relay until `during` has seen what it wants. */
async function relaying(
  schema: string,
  ship: Outbox['ship'],
  during: () => Promise<void>,
  { pollMs, ...own }: Partial<Outbox> & { pollMs?: number } = {},
): Promise<void> {
  const relay = startRelay({ sql, schema, ship, logger, ...own }, pollMs);
  try {
    await during();
  } finally {
    await relay.stop();
  }
}

/** A logger that keeps the messages of warnings. */
function keepingLogger(): { logger: Logger; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (fields: object | string, message?: string) =>
    void warnings.push(message ?? (fields as string));
  return { logger: { ...logger, warn, info: () => undefined }, warnings };
}

/** Ends what a pool has at the server, as a restart of it would. */
async function endConnections(applicationName: string): Promise<number> {
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName}
  `;
  return ended.length;
}

/** True if none of a pool's connections has done anything for a while. */
async function isAtRest(applicationName: string): Promise<boolean> {
  const [row] = await sql<{ atRest: boolean }[]>`
    select bool_and(state = 'idle' and state_change < now() - interval '200 ms') as at_rest
    from pg_stat_activity where application_name = ${applicationName}
  `;
  return row!.atRest;
}

const unshipped = async (schema: string): Promise<number> => {
  const [left] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${sql(`${schema}.outbox`)} where shipped_at is null
  `;
  return left!.count;
};

const add = (sql: Queryable, schema: string, aggregateId: string, n: number) =>
  appendToOutbox(sql, schema, {
    detailType: 'test.happened',
    aggregateId,
    detail: { n },
  });
const nOf = ({ detail }: OutboxEntry) => (detail as { n: number }).n;
const outageOfTemporal = () =>
  Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'away', metadata: {} });

describe('the relay', () => {
  test('ships an entry with all it says, told of it by its commit', () =>
    withOutbox(async (schema) => {
      const shipped: OutboxEntry[] = [];
      await relaying(
        schema,
        async (entry) => void shipped.push(entry),
        async () => {
          for (const n of [1, 2, 3]) {
            await add(sql, schema, 'a', n);
            await eventually(async () => (await unshipped(schema)) === 0);
          }
        },
        { pollMs: neverMs },
      );
      expect(shipped).toEqual(
        [1, 2, 3].map((n) => ({
          id: expect.any(String),
          source: schema,
          detailType: 'test.happened',
          aggregateId: 'a',
          organizationId: null,
          detail: { n },
          time: expect.any(Date),
        })),
      );
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
        expect(await redriveEntries(sql, schema, { ...window, state: 'dead' })).toBe(1);
        await eventually(async () => shipped.length === 4);
      });
      expect(shipped.slice(2)).toEqual(['poison-1', 'poison-2']);
    }));

  test('counts nothing against an entry while Temporal is away, says so once, and goes on', () =>
    withOutbox(async (schema) => {
      const keeping = keepingLogger();
      let tries = 0;
      const ship = async () => {
        tries += 1;
        if (tries <= 3) throw outageOfTemporal();
      };
      await add(sql, schema, 'a', 1);
      await relaying(
        schema,
        ship,
        async () => {
          for (const n of [1, 2, 3]) {
            await eventually(async () => tries >= n);
            await sql`select pg_notify(${outboxChannel(schema)}, '')`;
          }
          await eventually(async () => (await unshipped(schema)) === 0);
        },
        { logger: keeping.logger },
      );
      const rows = await sql`select attempts, last_error from ${sql(`${schema}.outbox`)}`;
      expect([...rows]).toEqual([{ attempts: 1, lastError: null }]);
      expect(keeping.warnings).toEqual([`the relay of ${schema} failed and is retried`]);
    }));

  test('tells who waits for a pass that Temporal is away, once the other entries are shipped', () =>
    withOutbox(async (schema) => {
      const ship = async ({ aggregateId }: OutboxEntry) => {
        if (aggregateId === 'away') throw outageOfTemporal();
      };
      for (const aggregateId of ['away', 'well']) await add(sql, schema, aggregateId, 1);
      await expect(passOutbox({ sql, schema, ship, logger }, 'wait')).rejects.toThrow('UNAVAILABLE');
      expect(await unshipped(schema)).toBe(1);
    }));

  test('goes on when Postgres ends its connections, between two passes and in the middle of one', () =>
    withOutbox(async (schema) => {
      const keeping = keepingLogger();
      const own = createSql(dev.databaseUrl, { applicationName: schema });
      const shipped: number[] = [];
      let release: (() => void) | undefined;
      const ship = async (entry: OutboxEntry) => {
        shipped.push(nOf(entry));
        if (nOf(entry) === 2 && shipped.filter((n) => n === 2).length === 1)
          await new Promise<void>((resolve) => (release = resolve));
      };
      await relaying(
        schema,
        ship,
        async () => {
          await add(sql, schema, 'a', 1);
          await eventually(async () => (await unshipped(schema)) === 0);
          await eventually(() => isAtRest(schema));
          expect(await endConnections(schema)).toBeGreaterThan(0);

          await add(sql, schema, 'a', 2);
          await eventually(async () => shipped.includes(2));
          expect(await endConnections(schema)).toBeGreaterThan(0);
          await eventually(async () => keeping.warnings.length > 0);
          release?.();
          await eventually(async () => (await unshipped(schema)) === 0);
        },
        { sql: own, logger: keeping.logger },
      );
      await own.end({ timeout: 1 });
      // An event that was under way when the connection was lost is sent once more.
      expect(shipped).toEqual([1, 2, 2]);
    }));

  test('sends the entries of a window of time again, delivered ones too, in their old order and before newer ones', () =>
    withOutbox(async (schema) => {
      const shipped: { id: string; n: number }[] = [];
      let isUp = true;
      const ship = async (entry: OutboxEntry) => {
        if (!isUp) throw outageOfTemporal();
        shipped.push({ id: entry.id, n: nOf(entry) });
      };
      const year = (n: number) => new Date(Date.UTC(2000 + n, 0, 1));
      for (const n of [1, 2, 3, 4]) {
        await add(sql, schema, 'a', n);
        // A window has milliseconds, and an entry microseconds.
        await sql`
          update ${sql(`${schema}.outbox`)} set time = ${year(n)}::timestamptz + interval '1 microsecond'
          where detail = ${sql.json({ n })}
        `;
      }
      await relaying(schema, ship, async () => {
        await eventually(async () => (await unshipped(schema)) === 0);
        const first = shipped.splice(0);
        expect(first.map(({ n }) => n)).toEqual([1, 2, 3, 4]);

        isUp = false;
        await add(sql, schema, 'a', 5);
        expect(await redriveEntries(sql, schema, { from: year(2), to: year(3) })).toBe(2);
        isUp = true;
        await eventually(async () => (await unshipped(schema)) === 0);
        expect(shipped.map(({ n }) => n)).toEqual([2, 3, 5]);
        expect(shipped.slice(0, 2)).toEqual(first.slice(1, 3));
      });
    }));

  test('beside another one ships each entry once', () =>
    withOutbox(async (schema) => {
      const shipped: number[] = [];
      const ship = async (entry: OutboxEntry) => void shipped.push(nOf(entry));
      await relaying(schema, ship, () =>
        relaying(schema, ship, async () => {
          for (let n = 0; n < 60; n += 1) await add(sql, schema, `a-${n}`, n);
          await eventually(async () => (await unshipped(schema)) === 0);
        }),
      );
      expect(shipped.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_each, n) => n));
    }));

  test('ends without waiting for its next poll when its worker stops', () =>
    withOutbox(async (schema) => {
      const shipped: number[] = [];
      await relaying(
        schema,
        async (entry) => void shipped.push(nOf(entry)),
        async () => {
          await add(sql, schema, 'a', 1);
          await eventually(async () => (await unshipped(schema)) === 0);
        },
        { pollMs: neverMs },
      );
      expect(shipped).toEqual([1]);
    }));
});

describe('the sweeps of a service', () => {
  /** Runs them until `during` has seen what it wants. */
  async function sweeping(service: string, sweeps: Sweep[], during: () => Promise<void>) {
    const keeping = keepingLogger();
    const loop = startSweeps({ sql, logger: keeping.logger }, service, sweeps);
    try {
      await during();
    } finally {
      await loop.stop();
    }
    return keeping.warnings;
  }

  test('are made at once, and one that fails is told by its name and holds up no other', async () => {
    const service = `test_${randomUUID()}`;
    let swept = 0;
    const failing = async () => {
      throw new Error('a sweep that fails');
    };
    const counting = async () => void (swept += 1);
    const warnings = await sweeping(service, [failing, counting], async () => {
      await eventually(async () => swept > 0);
    });
    expect(warnings).toEqual([`the sweep failing of ${service} failed and is retried`]);
  });

  test('are made by one worker at a time, and hold up no relay', () =>
    withOutbox(async (schema) => {
      let [underWay, most] = [0, 0];
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const slow = async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await released;
        underWay -= 1;
      };
      const shipped: number[] = [];
      await sweeping(schema, [slow], async () => {
        await eventually(async () => underWay === 1);
        await sweeping(schema, [slow], () =>
          relaying(
            schema,
            async (entry) => void shipped.push(nOf(entry)),
            async () => {
              await add(sql, schema, 'a', 1);
              await eventually(async () => shipped.length === 1);
            },
          ),
        );
        release();
      });
      expect(most).toBe(1);
    }));
});
