import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { type RunningSystem, startSystem } from '../../../dev/start/system.js';
import { freePorts } from '../../../dev/start/ports.js';
import { approve, semaglutideFor } from '../../api/orchestrator/approvals.js';
import { call, eventually, patientIn } from '../../helpers/client.js';
import { emptyState } from '../../helpers/system.js';

const execute = promisify(execFile);
/** A server and tools of one version; without the server's package there is nothing to back up. */
const binaries = (() => {
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
})();
const hasServer = existsSync(join(binaries, 'postgres'));
if (!hasServer) process.stderr.write('No server beside pg_dump, so Jest skips the test of backups.\n');

/** The blocks of commands of docs/production.md, "Backups": the key, the backup, the restore. */
const [makeKey = '', backUp = '', restore = ''] = (
  /\n### Backups\n([^]*?)\n## /.exec(readFileSync('docs/production.md', 'utf8'))?.[1] ?? ''
)
  .split(/\n\n(?! {4})/)
  .flatMap((text) => (/^ {4}|\n {4}/.test(text) ? [text.replaceAll(/^(?! {4}).*\n?/gm, '')] : []));

const isRoot = process.getuid?.() === 0;
const root = mkdtempSync(join(tmpdir(), 'scriptrail-backup-'));
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(root, { recursive: true, force: true });
});

/** Runs commands as the user `postgres` of a machine. */
const type = (commands: string, env: Record<string, string>, cwd: string) => {
  const [command, ...prefix] = isRoot ? ['runuser', '-u', 'postgres', '--', 'bash'] : ['bash'];
  const args = [...prefix, '-eo', 'pipefail', '-c', commands];
  return execute(command, args, { cwd, env: { PATH: `${binaries}:${process.env['PATH']}`, ...env } });
};

interface Server {
  folder: string;
  port: number;
  env: Record<string, string>;
}

/** An empty server; its socket lets in the user `postgres`, its port whoever knows a password. */
async function startServer(name: string): Promise<Server> {
  const folder = join(root, name);
  mkdirSync(folder);
  if (isRoot) execFileSync('chown', ['postgres', root, folder]);
  const { postgres: port } = await freePorts('127.0.0.1');
  const env = { PGHOST: folder, PGPORT: String(port), PGUSER: 'postgres', GNUPGHOME: join(folder, 'gnupg') };
  await type(
    'initdb --username postgres --auth-local trust --auth-host scram-sha-256 --no-sync data; mkdir -m 700 gnupg',
    env,
    folder,
  );
  const flags = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`];
  const words = ['-D', join(folder, 'data'), '-p', String(port), '-c', 'max_connections=300', ...flags];
  const [command, ...args] = [
    ...(isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []),
  ];
  const postgres = join(binaries, 'postgres');
  const server: ChildProcess =
    command === undefined
      ? spawn(postgres, words, { stdio: 'ignore' })
      : spawn(command, [...args, postgres, ...words], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  stops.push(async () => {
    await type('gpgconf --kill gpg-agent', env, folder).catch(() => undefined);
    server.kill('SIGINT');
    await ended;
  });
  await eventually(() =>
    type("psql --quiet -c 'select 1'", env, folder).then(
      () => true,
      () => false,
    ),
  );
  return { folder, port, env };
}

/** The product on that server, with the state of before. */
async function startProduct(stateDir: string, { port }: Server): Promise<RunningSystem> {
  const databaseUrl = `postgres://scriptrail:owner@127.0.0.1:${port}/scriptrail`;
  return startSystem({ stateDir, portBase: 0, quiet: true, env: { DATABASE_URL: databaseUrl } });
}

(hasServer ? test : test.skip)(
  'a sealed backup restores into an empty server, on which the services know an approval',
  async () => {
    const stateDir = await emptyState();
    stops.push(async () => rmSync(stateDir, { recursive: true, force: true }));
    const [first, keys, second] = [
      await startServer('first'),
      await startServer('keys'),
      await startServer('second'),
    ];
    const setup = [
      "create role scriptrail login createrole password 'owner'",
      'create database scriptrail owner scriptrail',
      ...['temporal', 'temporal_visibility'].map((name) => `create database ${name}`),
    ];
    for (const statement of setup) await type(`psql --quiet -c "${statement}"`, first.env, first.folder);

    const running = await startProduct(stateDir, first);
    const approval = { ...semaglutideFor(patientIn(running.dev, 'NY')), taskId: randomUUID() };
    const approved = await approve(running.dev, approval);
    expect(approved.status).toBe(200);
    await running.stop(10_000);

    await type(makeKey, keys.env, keys.folder);
    cpSync(join(keys.folder, 'backup.pub'), join(first.folder, 'backup.pub'));
    if (isRoot) execFileSync('chown', ['postgres', join(first.folder, 'backup.pub')]);
    await type(backUp, first.env, first.folder);
    const sealed = readdirSync(first.folder).filter((name) => name.endsWith('.gpg'));
    expect(sealed.sort()).toEqual(['roles.gpg', 'scriptrail.gpg', 'temporal.gpg', 'temporal_visibility.gpg']);
    for (const name of sealed) {
      const bytes = readFileSync(join(first.folder, name));
      expect([name, bytes.includes('PGDMP'), bytes.includes('CREATE ROLE')]).toEqual([name, false, false]);
    }
    // Without the secret half nobody opens it.
    await expect(type(restore, first.env, first.folder)).rejects.toThrow(/No secret key/i);

    // The machine that restores has the key, and talks to the empty server.
    for (const name of sealed) {
      cpSync(join(first.folder, name), join(keys.folder, name));
      if (isRoot) execFileSync('chown', ['postgres', join(keys.folder, name)]);
    }
    await type(restore, { ...second.env, GNUPGHOME: keys.env['GNUPGHOME']! }, keys.folder);
    const restored = await startProduct(stateDir, second);
    stops.push(() => restored.stop(1_500));
    const path = `/orchestrator/status/${approval.taskId}`;
    const status = await call(restored.dev, 'orchestrator', { path, key: 'approvals' });
    expect([status.status, status.body]).toEqual([
      200,
      expect.objectContaining({ runs: [expect.objectContaining({ status: 'completed' })] }),
    ]);
    // The same approval again is known: nothing is charged or ordered twice.
    expect(await approve(restored.dev, approval)).toMatchObject({ status: 200, body: approved.body });
  },
);
