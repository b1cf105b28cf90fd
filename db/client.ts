import postgres from 'postgres';
import { createPool } from './pool/pool.js';
import type { Queryable, Sql, Statement } from './pool/types.js';

export type { Queryable, Sql } from './pool/types.js';
/** A part of a statement. */
export type Fragment = Statement;
/** A change to a row; only the given columns are written. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** The first row of a statement; undefined when it has none. */
export const first = async <T>(rows: PromiseLike<readonly T[]>): Promise<T | undefined> => (await rows)[0];

/** Only such a text can be compared with an id. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The condition for the page of a list, newest first, that follows the entry with this id. */
export const pageAfter = (sql: Queryable, table: string, id: string | undefined): Fragment =>
  id === undefined
    ? sql``
    : sql`and (created_at, id) < (select created_at, id from ${sql(table)} where id = ${id})`;

/** Connections per service, and a statement timeout below the timeouts of the callers. */
const maxConnections = 10;
const statementTimeoutMs = 10_000;
/** Below the 5 s within which a caller gets an answer. */
const connectWithinMs = 4_000;

/** True when a statement exceeded the statement timeout. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '57014';

/**
 * True when the database is unreachable, is stopping, or exceeded the statement timeout, so the request is not at
 * fault. Matches error codes of the driver, the operating system and Postgres: connection, resources, operator
 * intervention, and a read-only server during a failover.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|08...$|53...$|57...$|25006$)/.test(
    String((error as { code?: unknown } | undefined)?.code),
  );

/** As ISO 8601: in the form of Postgres, the driver reads the years before 100 as others. */
const momentOf = (text: string): Date =>
  new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, (zone) => `${zone}:00`));

/**
 * A pool with the role of one service. Column names become camel case, JSON keys stay, and dates stay `YYYY-MM-DD`
 * strings.
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
        moment: {
          to: 1184,
          from: [1184],
          serialize: (moment: Date | string) => new Date(moment).toISOString(),
          parse: momentOf,
        },
      },
    },
  });
}
