import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DevJson, readDevJson } from '../../dev/dev-json.js';
import { projectRoot } from '../../dev/project-root.js';
import { stopLeftovers } from '../../dev/start/leftovers.js';
import { freePorts } from '../../dev/start/ports.js';
import type { StartOptions } from '../../dev/start/system.js';
import { emptyState } from '../../tests/helpers/system.js';

/** A whole system with its supervisor in a process, which restarts at once when it exits, as under systemd. */
export interface SupervisedSystem {
  dev: DevJson;
  stateDir: string;
  /** Pids by name; `start` is the supervisor. The supervisor records its children once all are ready. */
  pids: () => Record<string, number | undefined>;
  /** Kills only the supervisor. @returns a function that lists, by name, the processes that its successors stopped */
  killSupervisor: () => Promise<() => string[]>;
  /** Waits until the supervisor reports readiness. @throws Error on timeout */
  isUp: () => Promise<void>;
  /** Stops the system and removes its state unless `keepState` is set. */
  stop: (options: { keepState: boolean }) => Promise<void>;
}

/** A supervisor that is not ready by then has failed. */
const upWithinMs = 300_000;
const program = fileURLToPath(new URL('supervisor.ts', import.meta.url));

export async function startSupervised(
  options: Pick<StartOptions, 'split' | 'env' | 'sources'>,
  signal: AbortSignal,
): Promise<SupervisedSystem> {
  const stateDir = await emptyState();
  const ports = await freePorts('127.0.0.1');
  const env = {
    ...options.env,
    PORT_BASE: String(ports.base),
    POSTGRES_PORT: String(ports.postgres),
    TEMPORAL_PORT: String(ports.temporal),
    TEMPORAL_UI_PORT: String(ports.temporalUi),
  };
  const asked = JSON.stringify({ ...options, stateDir, env } satisfies StartOptions);
  const logPath = join(stateDir, 'supervisor.log');
  let ready: ChildProcess | undefined;
  let isKept = false;
  let isStopping = false;
  let supervisor = launch();

  /** In its own process group, so that Ctrl-C reaches the campaign, which stops it in order. */
  function launch(): ChildProcess {
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(process.execPath, ['--import', 'tsx', program, asked], {
      cwd: projectRoot,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    child.once('message', () => (ready = child));
    child.once('exit', () => {
      if (isKept && !isStopping) supervisor = launch();
    });
    return child;
  }

  async function isUp(): Promise<void> {
    const endsAt = Date.now() + upWithinMs;
    while (ready !== supervisor) {
      signal.throwIfAborted();
      if (!isKept && hasEnded(supervisor)) throw new Error(`The start failed: ${said(0)}`);
      if (Date.now() > endsAt) throw new Error('The supervisor did not come back');
      await pause(50);
    }
  }

  async function stop({ keepState }: { keepState: boolean }): Promise<void> {
    isStopping = true;
    if (!hasEnded(supervisor)) {
      supervisor.kill('SIGCONT'); // one that is frozen hears nothing else
      supervisor.kill('SIGTERM');
      await once(supervisor, 'exit');
    }
    await stopLeftovers(stateDir, () => undefined); // of one that was killed just now
    if (!keepState) await rm(stateDir, { recursive: true, force: true });
  }

  const said = (from: number) => readFileSync(logPath).subarray(from).toString();

  try {
    await isUp();
    isKept = true;
    return {
      dev: readDevJson(stateDir),
      stateDir,
      isUp,
      stop,
      pids: () => ({ start: supervisor.pid!, ...readDevJson(stateDir).pids }),
      killSupervisor: async () => {
        const { size } = statSync(logPath);
        const killed = supervisor;
        killed.kill('SIGKILL');
        if (!hasEnded(killed)) await once(killed, 'exit');
        return () =>
          [...said(size).matchAll(/left running: (.*)/g)].flatMap(([, names]) => names!.split(', '));
      },
    };
  } catch (error) {
    await stop({ keepState: false });
    throw error;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
