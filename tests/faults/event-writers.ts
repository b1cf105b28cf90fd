import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSql, type Sql } from '../../db/client.js';
import { publishEvent } from '../../db/outbox.js';

/**
 * The writers of an event storm, in a process of their own: where the database goes away in the middle of a
 * transaction, its client throws what nobody can catch, and the process ends; event-storm.ts starts it again.
 */
export interface WriterOrder {
  databaseUrl: string;
  run: string;
  aggregates: readonly string[];
  /** The highest number that the control has seen so far. */
  lastSeen: number;
}

export type WriterNews = { committed: true } | { broken: true } | { seen: number[] };

const writers = 8;
/** How long a transaction is held open, so that what was numbered first often commits last. */
const heldOpenMs = 40;
/** A transaction that takes longer hangs on a connection that is gone. */
const patienceMs = 10_000;
const { databaseUrl, run, aggregates, lastSeen } = JSON.parse(process.argv[2] ?? '{}') as WriterOrder;
const tell = (news: WriterNews) => void process.send?.(news);
let isOver = false;
process.once('message', () => (isOver = true));

async function write(sql: Sql): Promise<void> {
  while (!isOver) {
    const watch = setTimeout(() => process.exit(1), patienceMs);
    try {
      await publishNext(sql, aggregates[randomInt(aggregates.length)] ?? '');
      tell({ committed: true });
    } catch {
      // Committed or not: the next one takes the number that is next now.
      tell({ broken: true });
      await pause(50);
    }
    clearTimeout(watch);
  }
}

const publishNext = (sql: Sql, aggregate: string): Promise<void> =>
  sql.begin(async (sql) => {
    // The row's lock is the aggregate's; the number says which place it took.
    const [counter] = await sql<[{ last: number }]>`
      update storm.counter set last = last + 1 where run = ${run} and aggregate = ${aggregate} returning last
    `;
    await publishEvent(sql, 'bridge', {
      detailType: 'emr.medication_dispense.completed',
      aggregateId: aggregate,
      detail: { run, aggregate, n: counter.last, resource: { identifier: [{ value: aggregate }] } },
    });
    await sql`select pg_sleep(${randomInt(heldOpenMs) / 1000})`;
  });

/** The control: the reader that an outbox must not have. It takes what lies beyond the last number it has seen. */
async function readByLastNumber(sql: Sql): Promise<void> {
  let last = lastSeen;
  const read = async () => {
    const rows = await sql<{ sequence: string }[]>`
      select sequence from bridge.outbox where sequence > ${last} and detail ->> 'run' = ${run} order by sequence
    `.catch(() => []);
    if (rows.length === 0) return;
    last = Number(rows.at(-1)?.sequence);
    tell({ seen: rows.map(({ sequence }) => Number(sequence)) });
  };
  while (!isOver) {
    await read();
    await pause(2);
  }
  await writing;
  await read();
}

const sql = createSql(databaseUrl, { applicationName: 'storm', max: writers + 1 });
const writing = Promise.all(Array.from({ length: writers }, () => write(sql)));
await Promise.all([writing, readByLastNumber(sql)]);
process.exit(0);
