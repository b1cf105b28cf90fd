// The driver as it is published, in a transaction whose connection ends: `published.ts <host> <port> <password>`.
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

const [host = '', port = '', password = ''] = process.argv.slice(2);
const connect = () =>
  postgres({ host, port: Number(port), username: 'scriptrail', password, database: 'scriptrail' });
const [sql, owner] = [connect(), connect()];
const failed = await sql
  .begin(async (sql) => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await owner`select pg_terminate_backend(${row?.pid ?? 0})`;
    await sleep(100);
    await sql`select 1`;
  })
  .then(
    () => false,
    () => true,
  );
await sleep(500);
await Promise.all([sql.end({ timeout: 1 }), owner.end()]);
process.stdout.write(failed ? 'survived' : 'was never told');
