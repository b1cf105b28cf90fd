// Rare cases: `corners.ts <host> <port> <password>`. Says for each whether it went well.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSql } from '../../../db/client.js';

const [host = '', port = '', password = ''] = process.argv.slice(2);
const open = (max: number) =>
  createSql(`postgres://scriptrail:${password}@${host}:${port}/scriptrail`, {
    applicationName: 'corner',
    max,
  });
const owner = open(1);
await owner`create table corner (what text)`;
const within = <T>(work: Promise<T>) => Promise.race([work, sleep(30_000, 'hangs' as const)]);

/** A transaction that lost its connection goes on, and by then another one has it. */
async function lateStatements(): Promise<unknown> {
  const sql = open(1);
  let goOn: () => void = () => undefined;
  const isNext = new Promise<void>((resolve) => (goOn = resolve));
  let late = '';
  const lost = sql.begin(async (sql) => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await owner`select pg_terminate_backend(${row?.pid ?? 0})`;
    await isNext;
    await sql`insert into corner values ('late')`.catch(() => (late = 'refused'));
    throw new Error('so that it is rolled back');
  });
  const isLost = await lost.then(
    () => false,
    () => true,
  );
  await sql.begin(async (sql) => {
    await sql`insert into corner values ('next')`;
    goOn();
    await sleep(100);
  });
  const rows = await sql`select what from corner`;
  await sql.end();
  return { isLost, late, rows: rows.map(({ what }) => what as string) };
}

/** A caller that learns of one connection's end sends at once on another that ends at that moment. */
async function endsAtOnce(): Promise<unknown> {
  const sql = open(10);
  let hanging = 0;
  for (let round = 0; round < 20; round++) {
    await within(Promise.allSettled(Array.from({ length: 10 }, () => sql`select pg_sleep(0.03)`)));
    const asking = Array.from({ length: 3 }, () =>
      sql`select pg_sleep(5)`.catch(() => sql`select 1`.catch(() => undefined)),
    );
    await sleep(20);
    await owner`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'corner' and pid <> pg_backend_pid()`;
    if ((await within(Promise.all(asking))) === 'hangs') hanging++;
  }
  if (hanging === 0) await sql.end();
  return { hanging };
}

const told = { lateStatements: await lateStatements(), endsAtOnce: await endsAtOnce() };
await owner.end();
process.stdout.write(JSON.stringify(told), () => process.exit());
