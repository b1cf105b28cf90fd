import { userInfo } from 'node:os';
import { insertAccessEvents } from '../db/access/access-events.js';
import { createSql, type Queryable, type Sql } from '../db/client.js';
import type { AccessAction } from '../domain/access-events.js';
import { readSystem } from './system.js';

/** Opens the database for one command, with the role that owns the tables. */
export async function withDatabase<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = createSql(databaseUrl(), { applicationName: 'rx', max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

function databaseUrl(): string {
  const { DATABASE_URL: given } = process.env;
  if (given) return given;
  const url = readSystem().databaseUrl;
  if (url === undefined)
    throw new Error('DATABASE_URL is missing: set it to the database, with the role that owns the tables.');
  return url;
}

/** Records a change that a command makes directly in the database; call it in the transaction of the change. */
export const noteAccess = (sql: Queryable, action: AccessAction, record: string | null): Promise<void> =>
  insertAccessEvents(sql, [
    {
      actor: `rx:${userInfo().username}`,
      actorKind: 'system',
      action,
      record,
      organizationId: null,
      ip: null,
      userAgent: null,
      requestId: null,
      outcome: 'allowed',
    },
  ]);
