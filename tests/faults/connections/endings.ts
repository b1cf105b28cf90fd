import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../dev/start/ports.js';
import { preparePostgres } from '../../../dev/start/postgres.js';
import { createSupervisor } from '../../../dev/start/supervisor.js';
import type { Tally } from './requests.js';

export interface Endings extends Tally {
  /** By what the backend was doing. */
  ended: Record<string, number>;
  answeredWithinMs: number;
  /** True if a notification came in the end. */
  heard: boolean;
  /** Transactions of which a half is there. */
  torn: number;
  /** Transactions that were committed and are not there. */
  lost: number;
}

const host = '127.0.0.1';

/** A Postgres with nothing else around it. */
export async function startPostgres() {
  const stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-connections-'));
  const { postgres: port } = await freePorts(host);
  const password = 'endings';
  const supervisor = createSupervisor({ stateDir, report: () => undefined, onRestart: () => undefined });
  await supervisor.start(
    await preparePostgres({ dataDir: join(stateDir, 'postgres'), host, port, password }),
  );
  return {
    port,
    password,
    dataDir: join(stateDir, 'postgres'),
    url: (host = '127.0.0.1', at = port) => `postgres://scriptrail:${password}@${host}:${at}/scriptrail`,
    /** The supervisor starts it again. */
    stopAndStart: () => process.kill(supervisor.pids()['postgres'] ?? 0, 'SIGINT'),
    stop: async () => {
      await supervisor.stop();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Runs a script in a process of its own until it ends. @param onWord for what it writes meanwhile */
export const run = (
  script: string,
  args: readonly (string | number)[],
  onWord: (word: string) => void = () => undefined,
) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', join('tests/faults/connections', script), ...args.map(String)],
      { maxBuffer: 100_000_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdout?.on('data', (data) => onWord(String(data).trim()));
  });

/** Ends so many connections of a process that asks, and stops and starts the server meanwhile. */
export async function endConnections(endings: number, seconds: number): Promise<Endings> {
  const server = await startPostgres();
  const args = [host, server.port, server.password, endings, seconds];
  let next: NodeJS.Timeout | undefined;
  const restartAfter = (ms: number) => {
    next = setTimeout(() => {
      server.stopAndStart();
      restartAfter(20_000);
    }, ms);
  };
  try {
    const { code, stdout, stderr } = await run('process.ts', args, (word) => {
      if (word === 'asking') restartAfter(1_500);
      // What is counted at the end needs a server that stays.
      if (word.startsWith('asked')) clearTimeout(next);
    });
    if (code !== 0) throw new Error(`The process ended with ${code}: ${stderr}`);
    return JSON.parse(stdout.split('\n')[2] ?? '') as Endings;
  } finally {
    clearTimeout(next);
    await server.stop();
  }
}
