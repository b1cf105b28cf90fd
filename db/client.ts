import postgres from 'postgres';
import { createPool } from './pool/pool.js';
import type { Sql, Statement } from './pool/types.js';

export type { Queryable, Sql } from './pool/types.js';
/** A part of a statement. */
export type Fragment = Statement;
/** A change to a row: only the columns that it names are written. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** The first row of a statement; undefined when it has none. */
export const first = async <T>(rows: PromiseLike<readonly T[]>): Promise<T | undefined> => (await rows)[0];

/** Connections a service may hold at once; a statement never runs longer than the callers above it wait. */
const maxConnections = 10;
const statementTimeoutMs = 10_000;
/** Under the 5 s within which whoever waits for a connection has an answer. */
const connectWithinMs = 4_000;

/** Whether a statement was ended because it ran for longer than any may. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '57014';

/**
 * Whether the database is away, is stopping, or took too long for a statement, which is no fault of what was asked. By
 * the driver's codes of lost connections, the operating system's, and Postgres' own: connection, resources, operator,
 * and a server that only reads, as a standby does that was reached in the middle of a failover.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08...$|53...$|57...$|25006$)/.test(
    String((error as { code?: unknown } | undefined)?.code),
  );

/**
 * A pool of one service's own role. Columns are camel-cased, keys inside JSON are left as they are, dates stay the
 * strings they are (`YYYY-MM-DD`).
 */
export function createSql(url: string, options: { applicationName: string; max?: number }): Sql {
  return createPool(url, {
    max: options.max ?? maxConnections,
    connectWithinMs,
    driver: {
      connection: { application_name: options.applicationName, statement_timeout: statementTimeoutMs },
      transform: { undefined: null, column: { to: postgres.fromCamel, from: postgres.toCamel } },
      types: {
        date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (day: string) => day },
      },
    },
  });
}
