import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Sql } from '../../../db/client.js';

interface Node {
  'Node Type': string;
  Schema?: string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Node[];
}

/** The plan of a statement for one table. */
export interface Reading {
  table: string;
  how: string;
  rows: number;
  /** An index that is read from its beginning to its end shows no rows that it skips, but these. */
  pages: number;
}

/** A statement that the database has carried out, or has given up for its time. */
export interface Plan {
  statement: string;
  ms: number;
  readings: Reading[];
  isCancelled: boolean;
}

/** Has Postgres log the plan of every statement of others from now on. @returns what reads those logged so far */
export async function logPlans(sql: Sql, stateDir: string): Promise<() => AsyncGenerator<Plan>> {
  const log = join(stateDir, 'logs', 'postgres.log');
  await sql.unsafe(`
    alter database scriptrail set session_preload_libraries = 'auto_explain';
    alter database scriptrail set auto_explain.log_min_duration = 0;
    alter database scriptrail set auto_explain.log_analyze = on;
    alter database scriptrail set auto_explain.log_buffers = on;
    alter database scriptrail set auto_explain.log_nested_statements = on;
    alter database scriptrail set auto_explain.log_timing = off;
    alter database scriptrail set auto_explain.log_verbose = on;
    alter database scriptrail set auto_explain.log_format = 'json';
    alter database scriptrail set auto_explain.log_parameter_max_length = 0;
  `);
  // The tests' own statements are left out.
  await sql`alter system set log_line_prefix = '%m [%p] %a '`;
  await sql`select pg_reload_conf()`;
  const from = statSync(log).size;
  // A new connection has the settings.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `;
  return () => plansIn(log, from);
}

/** One after the other: the log of many tests is larger than what a string may hold. */
async function* plansIn(log: string, from: number): AsyncGenerator<Plan> {
  let entry: { head: string; rest: string[] } | undefined;
  let isCancelled = false;
  for await (const line of createInterface({ input: createReadStream(log, { start: from }) })) {
    if (entry && line.startsWith('\t')) {
      entry.rest.push(line);
      continue;
    }
    if (entry && !/^\S+ \S+ \S+ \[\d+\] test /.test(entry.head)) yield planOf(entry);
    const isMeant = line.endsWith(' plan:') || (isCancelled && line.includes(' STATEMENT:  '));
    entry = isMeant ? { head: line, rest: [] } : undefined;
    isCancelled = line.endsWith('canceling statement due to statement timeout');
  }
}

function planOf({ head, rest }: { head: string; rest: string[] }): Plan {
  const [, cancelled] = / STATEMENT: {2}(.*)$/.exec(head) ?? [];
  if (cancelled !== undefined)
    return { statement: [cancelled, ...rest].join('\n'), ms: 0, readings: [], isCancelled: true };
  const { 'Query Text': statement, Plan: plan } = JSON.parse(rest.join('\n')) as {
    'Query Text': string;
    Plan: Node;
  };
  const ms = Number(/ duration: ([\d.]+) ms/.exec(head)?.[1]);
  return { statement, ms, readings: [...readingsOf(plan)], isCancelled: false };
}

/** @param table of the node above, whose index it reads */
function* readingsOf(node: Node, table?: string): Generator<Reading> {
  const { 'Node Type': how, 'Relation Name': name, 'Actual Loops': loops = 1, Plans: inner = [] } = node;
  const own = name === undefined ? table : `${node.Schema}.${name}`;
  if (own !== undefined) {
    const rows =
      (node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    const pages = inner.reduce((sum, child) => sum - pagesOf(child), pagesOf(node));
    yield { table: own, how, rows: Math.round(rows * loops), pages };
  }
  for (const child of inner)
    yield* readingsOf(child, child['Node Type'].startsWith('Bitmap') ? own : undefined);
}

const pagesOf = (node: Node): number => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
