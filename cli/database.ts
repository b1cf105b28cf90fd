import { createSql, type Sql } from '../db/client.js';
import { readDevJson } from '../dev/dev-json.js';

/**
 * Opens the database for the length of a command: the one that `DATABASE_URL` (the migrator's) names, else that of the
 * development system.
 */
export async function withDatabase<T>(
  use: (sql: Sql) => Promise<T>,
  databaseUrl = standardUrl(),
): Promise<T> {
  const sql = createSql(databaseUrl, { applicationName: 'rx', max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

function standardUrl(): string {
  const { DATABASE_URL: given } = process.env;
  return given !== undefined && given !== '' ? given : readDevJson().databaseUrl;
}
