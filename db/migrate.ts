import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { createPool } from './pool/pool.js';
import type { Sql } from './pool/types.js';
import { versionAdvice } from './server-version.js';

const migrationsFolder = new URL('./migrations/', import.meta.url);
const advisoryLock = 7_236_519;

export interface MigrateOptions {
  /** Owns the schemas and tables, and may create roles. */
  databaseUrl: string;
  /** The URL of each service; its role is created when missing. */
  serviceDatabaseUrls: Readonly<Record<string, string>>;
}

/**
 * Migrates the database: creates one login role per service, then runs each new file of `db/migrations/<schema>/` in
 * its own transaction. Several processes can run this concurrently.
 * @returns the names of the applied files, and advice about the server's version if it has known holes
 * @throws when an applied file has changed
 */
export async function migrate(
  options: MigrateOptions,
): Promise<{ applied: string[]; advice: string | undefined }> {
  const sql = createPool(options.databaseUrl, { max: 1 });
  try {
    await takeLock(sql);
    await createRoles(sql, options.serviceDatabaseUrls);
    const applied = await applyFiles(sql);
    const [{ version }] = await sql<[{ version: number }]>`
      select current_setting('server_version_num')::int as version
    `;
    return { applied, advice: versionAdvice(version) };
  } finally {
    await sql.end();
  }
}

/** Polls, because waiting inside `pg_advisory_lock` would block concurrent index builds. */
async function takeLock(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${advisoryLock}) as taken`;
    if (row?.taken) return;
    await sleep(100);
  }
}

/**
 * Roles belong to the whole server, so a second system on it could take over a role by setting its password. Sets a
 * password only if the given one does not work, and only in the system that owns the role.
 */
async function createRoles(sql: Sql, urls: MigrateOptions['serviceDatabaseUrls']): Promise<void> {
  for (const [service, url] of Object.entries(urls)) {
    const { username, password } = new URL(url);
    const role = `scriptrail_${service}`;
    if (username !== role) throw new Error(`The database URL of ${service} must log in as ${role}`);
    const [existing] = await sql<{ system: string | null; isElsewhere: boolean }[]>`
      select shobj_description(oid, 'pg_authid') as system,
        exists (
          select from pg_database where datname = shobj_description(pg_roles.oid, 'pg_authid') and datname <> current_database()
        ) as "isElsewhere"
      from pg_roles where rolname = ${role}
    `;
    if (existing && (await opens(url))) continue;
    if (existing?.isElsewhere)
      throw new Error(
        `The role ${role} belongs to the database ${existing.system}, which is another system: give each system a Postgres server of its own.`,
      );
    const secret = decodeURIComponent(password).replaceAll("'", "''");
    await madeByOwner(async () => {
      await sql.unsafe(`${existing ? 'alter' : 'create'} role ${role} login password '${secret}'`);
      await sql.unsafe(`alter role ${role} set search_path = ''`);
      const [{ database }] = await sql<
        [{ database: string }]
      >`select quote_literal(current_database()) as database`;
      await sql.unsafe(`comment on role ${role} is ${database}`);
    });
  }
}

async function opens(url: string): Promise<boolean> {
  const sql = createPool(url, { max: 1 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end();
  }
}

/** Explains a denied permission: Postgres does not name the missing one. */
async function madeByOwner(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== '42501') throw error;
    throw new Error(
      `The owner of the database may not make or change roles: give it CREATEROLE (alter role … createrole), or run the migrations as a superuser. Postgres says: ${error.message}`,
    );
  }
}

async function applyFiles(sql: Sql): Promise<string[]> {
  await sql`
    create table if not exists public.schema_migration (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )
  `;
  const known = new Map(
    (await sql<{ name: string; sha256: string }[]>`select name, sha256 from public.schema_migration`).map(
      (row) => [row.name, row.sha256],
    ),
  );
  const applied: string[] = [];
  for (const name of await listFiles()) {
    const body = await readFile(new URL(name, migrationsFolder), 'utf8');
    const sha256 = createHash('sha256').update(body).digest('hex');
    if (known.has(name)) {
      if (known.get(name) !== sha256)
        throw new Error(`Migration ${name} was changed after it had been applied`);
      continue;
    }
    await sql.begin(async (sql) => {
      await sql.unsafe(body);
      await sql`insert into public.schema_migration (name, sha256) values (${name}, ${sha256})`;
    });
    applied.push(name);
  }
  return applied;
}

/** Sorts `<schema>/NNNN_<name>.sql` by number first, so that a file can build on an earlier one of another schema. */
async function listFiles(): Promise<string[]> {
  const files = await readdir(migrationsFolder, { recursive: true });
  const number = (name: string) => name.slice(name.lastIndexOf('/') + 1);
  return files
    .filter((name) => name.endsWith('.sql'))
    .sort((a, b) => (number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : a < b ? -1 : 1));
}
