import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../../db/client.js';

interface Node {
  'Node Type': string;
  Schema?: string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** A statement that the database has carried out, by what it read of a table. */
export interface Reading {
  statement: string;
  table: string;
  how: string;
  rows: number;
}

/** Has Postgres log the plan of every statement of others from now on. @returns what reads those logged so far */
export async function logPlans(sql: Sql, stateDir: string): Promise<() => Reading[]> {
  const log = join(stateDir, 'logs', 'postgres.log');
  await sql.unsafe(`
    alter database scriptrail set session_preload_libraries = 'auto_explain';
    alter database scriptrail set auto_explain.log_min_duration = 0;
    alter database scriptrail set auto_explain.log_analyze = on;
    alter database scriptrail set auto_explain.log_timing = off;
    alter database scriptrail set auto_explain.log_verbose = on;
    alter database scriptrail set auto_explain.log_format = 'json';
    alter database scriptrail set auto_explain.log_parameter_max_length = 0;
  `);
  const from = statSync(log).size;
  // Whoever connects anew has the settings.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `;
  return () => readings(readFileSync(log).subarray(from).toString());
}

function readings(log: string): Reading[] {
  const plans = log.matchAll(/ plan:\n(\t?\{[\s\S]*?\n\t?\})\n/g);
  return [...plans].flatMap(([, text = '']) => {
    const { 'Query Text': statement, Plan: plan } = JSON.parse(text) as { 'Query Text': string; Plan: Node };
    return nodesOf(plan).flatMap((node) => {
      const { 'Relation Name': name, 'Actual Loops': loops = 1 } = node;
      if (name === undefined) return [];
      const rows = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * loops;
      return [{ statement, table: `${node.Schema}.${name}`, how: node['Node Type'], rows }];
    });
  });
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
