import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePorts } from '../../dev/start/ports.js';
import { preparePostgres } from '../../dev/start/postgres.js';
import { createSupervisor, type Supervisor } from '../../dev/start/supervisor.js';
import { emptyFolder, messageOf, until } from './helpers.js';

/** True if the process was still there to take the signal. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

describe('the embedded Postgres', () => {
  let stateDir: string;
  let place: { dataDir: string; host: string; port: number; password: string };
  let supervisor: Supervisor;
  const connect = () =>
    postgres({
      ...place,
      username: 'scriptrail',
      database: 'scriptrail',
      max: 1,
      connect_timeout: 5,
      fetch_types: false,
    });

  const said: string[] = [];
  const supervise = () =>
    createSupervisor({ stateDir, report: (line) => void said.push(line), onRestart: () => undefined });

  beforeAll(async () => {
    // Only its owner may enter this folder, as with a checkout in a home directory.
    stateDir = await emptyFolder();
    const host = '127.0.0.1';
    place = {
      dataDir: join(stateDir, 'postgres'),
      host,
      port: (await freePorts(host)).postgres,
      password: 'first',
    };
    supervisor = supervise();
    await supervisor.start(await preparePostgres(place));
  });
  afterAll(() => supervisor.stop());

  test('answers on its own database as version 18, and keeps writing through to the disk', async () => {
    const sql = connect();
    const [row] =
      await sql`select current_setting('server_version') as version, current_setting('fsync') as fsync`;
    expect(row).toMatchObject({ version: expect.stringMatching(/^18\./), fsync: 'on' });
    await sql.end();
  });

  test('comes back by itself after SIGKILL with every committed row', async () => {
    const before = connect();
    await before`create table kept (id int)`;
    await before`insert into kept select generate_series(1, 1000)`;
    const pid = supervisor.pids()['postgres']!;
    process.kill(pid, 'SIGKILL');
    await before.end({ timeout: 0 });
    const count = await until('the server again', async () => {
      const sql = connect();
      const rows = await sql<{ count: string }[]>`select count(*) from kept`.catch(() => []);
      await sql.end();
      return rows[0]?.count;
    });
    expect(count).toBe('1000');
    expect(supervisor.pids()['postgres']).not.toBe(pid);
  });

  // On a busy disk they are in the middle of a write.
  test('waits after SIGKILL until the processes of the killed one have ended, and is started once', async () => {
    const pid = supervisor.pids()['postgres']!;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    said.length = 0;
    // A process of its own, as that of a vacuum, may have ended since it was read.
    const frozen = children.filter((child) => signalled(child, 'SIGSTOP'));
    expect(frozen.length).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
    await until('its end', () => said.length > 0);
    // Longer than the pause before it is started again.
    setTimeout(() => frozen.forEach((child) => signalled(child, 'SIGCONT')), 1_000);
    await until('the server again', async () => {
      const sql = connect();
      const rows = await sql`select 1`.catch(() => []);
      await sql.end();
      return rows.length === 1 && supervisor.pids()['postgres'] !== pid;
    });
    expect(said).toEqual([expect.stringMatching(/^postgres ended \(SIGKILL\)/)]);
  });

  test('that an unrecorded start left running is stopped before the next one', async () => {
    const pid = Number(readFileSync(join(place.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    expect(supervisor.pids()['postgres']).toBe(pid);
    const spec = await preparePostgres(place);
    await supervisor.stop();
    supervisor = supervise();
    await supervisor.start(spec);
    const sql = connect();
    expect(await sql`select count(*)::int as rows from kept`).toEqual([{ rows: 1000 }]);
    await sql.end();
  });

  test('starts over the pid file of a killed server, whether its pid is a zombie by now or a stranger', async () => {
    const shell = spawn('sh', ['-c', 'true & echo $!; exec sleep 60']);
    const [printed] = (await once(shell.stdout, 'data')) as [Buffer];
    const zombie = Number(printed);
    for (const pid of [zombie, shell.pid!]) {
      const killed = supervisor.pids()['postgres']!;
      const pidFile = join(place.dataDir, 'postmaster.pid');
      const written = readFileSync(pidFile, 'utf8');
      process.kill(killed, 'SIGKILL');
      await supervisor.stop();
      writeFileSync(pidFile, written.replace(String(killed), String(pid)));
      supervisor = supervise();
      await supervisor.start(await preparePostgres(place));
    }
    shell.kill();
    const sql = connect();
    expect(await sql`select count(*)::int as rows from kept`).toEqual([{ rows: 1000 }]);
    await sql.end();
  });

  test('says what to do when its secrets were lost', async () => {
    await supervisor.stop();
    supervisor = supervise();
    const start = supervisor.start(await preparePostgres({ ...place, password: 'another' }));
    expect(await messageOf(start)).toContain('put the old secrets.json back, or delete the whole folder');
  });
});
