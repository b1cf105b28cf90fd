import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DevJson } from '../../dev/dev-json.js';
import { projectRoot } from '../../dev/project-root.js';
import { createSql, type Sql } from '../../db/client.js';
import { eventually } from '../helpers/client.js';
import type { Received } from '../helpers/receiver.js';
import type { WriterNews, WriterOrder } from './event-writers.js';

/** One order per aggregate: the router's log of it is the trace of what the router was told. */
interface Aggregate {
  id: string;
  submissionId: string;
}

export interface StormOptions {
  dev: DevJson;
  /** Events that the event sink received. */
  sink: readonly Received[];
  events: number;
  aggregates: number;
  /** How often the database is stopped, at even distances. */
  stops: number;
}

export interface Storm {
  /** Committed per aggregate: 1 to this number. */
  committed: Map<string, number>;
  /** Events of each consumer, per aggregate in the order of arrival. */
  router: () => Promise<Map<string, number[]>>;
  sink: () => Map<string, number[]>;
  /** Events that a reader which remembers the last number it has seen would never have delivered. */
  lostByLastNumberSeen: number;
  /** Transactions, and whole processes of writers, that the stops broke off. */
  broken: number;
  close: () => Promise<void>;
}

/**
 * Writes events from eight writers, each in a transaction that locks its aggregate and is held open for a while,
 * while the database is stopped in between; ends once they are all committed, not once they are delivered.
 */
export async function writeStorm(options: StormOptions): Promise<Storm> {
  const { dev, events, stops } = options;
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  const run = randomUUID();
  const aggregates = await makeAggregates(sql, run, options.aggregates);
  const writing = startWriters({ dev, run, aggregates, events });
  for (let stop = 1; stop <= stops; stop += 1) {
    await eventually(async () => writing.committed() >= (events * stop) / (stops + 1));
    await stopDatabase(dev, stop % 2 === 0 ? 'SIGQUIT' : 'SIGKILL');
  }
  const { seen, broken } = await writing.ended;

  const committed = await eventually(() => committedOf(sql, run).catch(() => undefined));
  const total = [...committed.values()].reduce((sum, last) => sum + last, 0);
  return {
    committed,
    router: () => routerTrace(sql, aggregates),
    sink: () => sinkTrace(options.sink, run),
    lostByLastNumberSeen: total - seen,
    broken,
    close: () => sql.end({ timeout: 1 }),
  };
}

/** Keeps a process of writers running until so many events are committed. */
function startWriters({ dev, run, aggregates, events }: Writing) {
  const seen = new Set<number>();
  let [committed, broken] = [0, 0];
  const start = async (): Promise<void> => {
    const order: WriterOrder = {
      databaseUrl: dev.databaseUrl,
      run,
      aggregates: aggregates.map(({ id }) => id),
      lastSeen: Math.max(0, ...seen),
    };
    const file = join(projectRoot, 'tests/faults/event-writers.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(order)], {
      cwd: projectRoot,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (news: WriterNews) => {
      if ('seen' in news) for (const sequence of news.seen) seen.add(sequence);
      else if ('broken' in news) broken += 1;
      else if ((committed += 1) === events) child.send('over');
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === 0) return;
    broken += 1;
    if (committed < events) await start();
  };
  const ended = start().then(() => ({ seen: seen.size, broken }));
  return { committed: () => committed, ended };
}

interface Writing {
  dev: DevJson;
  run: string;
  aggregates: readonly Aggregate[];
  events: number;
}

async function makeAggregates(sql: Sql, run: string, count: number): Promise<Aggregate[]> {
  await sql`create schema if not exists storm`;
  await sql`create table if not exists storm.counter (run uuid, aggregate text, last integer, primary key (run, aggregate))`;
  const aggregates = Array.from({ length: count }, (_each, index) => ({
    id: `${run}-${index}`,
    submissionId: randomUUID(),
  }));
  for (const { id, submissionId } of aggregates) {
    await sql`insert into storm.counter values (${run}, ${id}, 0)`;
    await sql`
      insert into router.submission (
        id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
        request_payload, payload_hash, claim_id, outcome, status, pharmacy_order_id, callbacks_stopped
      )
      values (
        ${submissionId}, 'clinic', 'storm', ${id}, 'http://127.0.0.1:9/', 'WA', 'x', 'pharmacy_a', true,
        '{}', 'x', ${randomUUID()}, 'accepted', 'submitted', ${id}, true
      )
    `;
  }
  return aggregates;
}

/** At once and without any orderly end: `SIGQUIT` is what `pg_ctl stop -m immediate` sends. */
async function stopDatabase(dev: DevJson, signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
  const stopped = dev.pids.postgres!;
  process.kill(stopped, signal);
  await eventually(async () => dev.pids.postgres !== stopped);
}

async function committedOf(sql: Sql, run: string): Promise<Map<string, number>> {
  const rows = await sql<{ aggregate: string; last: number }[]>`
    select aggregate, last from storm.counter where run = ${run}
  `;
  return new Map(rows.map(({ aggregate, last }) => [aggregate, last]));
}

async function routerTrace(sql: Sql, aggregates: readonly Aggregate[]): Promise<Map<string, number[]>> {
  const rows = await sql<{ body: string }[]>`
    select body from router.webhook_log
    where submission_id = any(${aggregates.map(({ submissionId }) => submissionId)}::uuid[])
    order by id
  `;
  return traceOf(rows.map(({ body }) => JSON.parse(body) as Told));
}

/** Events that the sink accepted; a repeat comes directly after its original and counts once. */
const sinkTrace = (received: readonly Received[], run: string): Map<string, number[]> =>
  traceOf(
    received
      .filter(({ answer }) => answer === 200)
      .map(({ body }) => (JSON.parse(body) as { data: Told }).data)
      .filter((told) => told.run === run),
  );

interface Told {
  run: string;
  aggregate: string;
  n: number;
}

function traceOf(told: readonly Told[]): Map<string, number[]> {
  const trace = new Map<string, number[]>();
  for (const { aggregate, n } of told) {
    const numbers = trace.get(aggregate) ?? [];
    if (numbers.at(-1) !== n) numbers.push(n);
    trace.set(aggregate, numbers);
  }
  return trace;
}

/** How many events a consumer lacks, and how often a later one came before an earlier one. */
export function faultsOf(
  committed: ReadonlyMap<string, number>,
  trace: ReadonlyMap<string, number[]>,
): { lost: number; inversions: number } {
  let [lost, inversions] = [0, 0];
  for (const [aggregate, last] of committed) {
    const numbers = trace.get(aggregate) ?? [];
    lost += last - new Set(numbers).size;
    inversions += numbers.filter((n, index) => index > 0 && n < numbers[index - 1]!).length;
  }
  return { lost, inversions };
}
