import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeAccessDays, listAccessDays } from '../../db/access/access-days.js';
import { createSql, type Sql } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { shared } from '../helpers/client.js';
import { bareRx } from './rx.js';

// A database of its own: its days begin before those of the shared one.
const dev = shared();
const name = `access_${randomUUID().replaceAll('-', '')}`;
const databaseUrl = Object.assign(new URL(dev.databaseUrl), { pathname: `/${name}` }).href;
let owner: Sql;
let sql: Sql;
beforeAll(async () => {
  owner = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await owner.unsafe(`create database ${name}`);
  await migrate({ databaseUrl, serviceDatabaseUrls: {} });
  sql = createSql(databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await sql.end();
  await owner.unsafe(`drop database ${name} with (force)`);
  await owner.end();
});

const verify = () => bareRx({ DATABASE_URL: databaseUrl }, 'access', 'verify');
/** Does what only an owner can do, who removes the guard first. */
async function forge(change: (sql: Sql) => Promise<unknown>): Promise<void> {
  await sql`alter table access.access_event disable trigger insert_only`;
  await change(sql);
  await sql`alter table access.access_event enable trigger insert_only`;
}

test('rx access verify finds a closed day whose events were changed, added or removed (D162)', async () => {
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000);
  const dayOf = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10);
  for (const daysAgo of [4, 4, 2, 0])
    await sql`
      insert into access.access_event (at, actor, actor_kind, action, outcome)
      values (${at(daysAgo)}, 'clinic', 'key', 'patient.read', 'allowed')
    `;
  await closeAccessDays(sql);
  await closeAccessDays(sql);
  const days = await listAccessDays(sql, { limit: 10 });
  // Yesterday may still be open for an hour.
  expect(days.map(({ events }) => events).slice(-3)).toEqual([1, 0, 2]);
  expect(await verify()).toMatchObject({ exitCode: 0 });

  const changes: ((sql: Sql) => Promise<unknown>)[] = [
    (sql) => sql`update access.access_event set actor = 'nobody' where position = 3`,
    (sql) => sql`update access.access_event set actor = 'clinic', on_behalf_of = 'boss' where position = 3`,
    (sql) => sql`delete from access.access_event where position = 3`,
  ];
  for (const change of changes) {
    await forge(change);
    const { exitCode, stdout } = await verify();
    expect([exitCode, stdout.trim()]).toEqual([1, `${dayOf(2)} is not as it was closed.`]);
  }
  // A hash that is forged with its day no longer fits the day after.
  await sql`alter table access.access_day disable trigger insert_only`;
  await sql`update access.access_day set hash = ${'0'.repeat(64)} where day = ${dayOf(4)}`;
  const { stdout } = await verify();
  expect(stdout.match(/^\S+/gm)).toEqual([4, 3, 2].map(dayOf));
});
