// A process that asks a database whose connections are ended: `process.ts <host> <port> <password> <endings>
// <seconds>`.
// It goes on until that many were ended and that many seconds are over, and then says what came of its requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSql } from '../../../db/client.js';
import { openLossyProxy } from './lossy-proxy.js';
import { committed, keepAsking, kinds, type Tally } from './requests.js';

const [host = '', port = '', password = '', leastEndings = '', leastSeconds = ''] = process.argv.slice(2);
const database = (port: number) => `postgres://scriptrail:${password}@${host}:${port}/scriptrail`;
const proxy = await openLossyProxy(host, Number(port));
const url = database(proxy.port);

/** The backend's work when it is ended. */
const moments = {
  idle: "state = 'idle' and query not like 'listen%'",
  'in a statement': "state = 'active'",
  'between two statements of a transaction': "state = 'idle in transaction'",
  'in listen': "query like 'listen%'",
  all: 'true',
};
const ended: Record<string, number> = { connecting: 0 };
const endings = () => Object.values(ended).reduce((sum, count) => sum + count, proxy.cut());

const owner = createSql(database(Number(port)), { applicationName: 'ending', max: 1 });
await owner`create table if not exists pair (id uuid, half text)`;
const sql = createSql(url, { applicationName: 'endings' });
let heard = 0;
const listen = () => sql.listen('endings', () => heard++);
for (let isListening = false; !isListening;)
  isListening = await listen().then(
    () => true,
    () => false,
  );

const tally: Tally = { requests: 0, failed: 0, slowestMs: 0, strange: [] };
let stopped = false;
const asking = Object.keys(kinds).flatMap((kind) =>
  [1, 2, 3].map(() => keepAsking({ sql, url, kind, isStopped: () => stopped }, tally)),
);
process.stdout.write('asking\n');
const until = performance.now() + 1000 * Number(leastSeconds);
for (let round = 0; endings() < Number(leastEndings) || performance.now() < until; round++) {
  for (const [moment, condition] of Object.entries(moments)) {
    if (moment === 'all' && round % 20 !== 19) continue;
    // The server may be away itself.
    const rows = await owner
      .unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'endings' and ${condition} limit ${moment === 'all' ? 100 : 1}`,
      )
      .catch(() => []);
    ended[moment] = (ended[moment] ?? 0) + rows.length;
    await sleep(3);
  }
}
ended['connecting'] = proxy.cut();
stopped = true;
proxy.letAllThrough();
await Promise.all(asking);
process.stdout.write('asked\n');
// The server may have just been stopped once more.
for (let isUp = false; !isUp;)
  isUp = await owner`select`.then(
    () => true,
    () => false,
  );

const answers = async () => {
  const start = performance.now();
  await Promise.all(Array.from({ length: 30 }, (_, i) => sql`select ${i}::int, pg_sleep(0.01)`));
  return performance.now() - start;
};
// A connection whose end is not noticed yet costs one more request, and so does an opening that was cut before.
for (let tries = 0; tries < 3; tries++) await answers().catch(() => undefined);
const answeredWithinMs = await answers();
heard = 0;
for (let tries = 0; heard === 0 && tries < 50; tries++) {
  await sql`select pg_notify('endings', '')`;
  await sleep(100);
}
const [halves] = await sql<{ torn: number; lost: number }[]>`
  with whole as (select id from pair group by id having count(*) = 2)
  select
    (select count(*)::int from pair where id not in (select id from whole)) as torn,
    (select count(*)::int from unnest(${committed}::uuid[]) as id where id not in (select id from whole)) as lost
`;
await Promise.all([sql.end(), owner.end()]);
proxy.close();
const told = { ended, ...tally, answeredWithinMs, heard: heard > 0, ...halves };
// Then the process ends by itself, with nothing left open.
process.stdout.write(JSON.stringify(told));
