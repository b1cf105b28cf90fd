import { createSql, type Sql } from '../db/client.js';
import { readSystem } from './system.js';

/** Opens the database for the length of a command, as the owner of its tables. */
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
    throw new Error('DATABASE_URL is missing: the address of the database, as its owner.');
  return url;
}
