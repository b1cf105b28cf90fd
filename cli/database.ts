import { createSql, type Sql } from '../db/client.js';
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
