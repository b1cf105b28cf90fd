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

/** A whole system whose supervisor is a process too, and is started again at once when it ends, as systemd would. */
export interface SupervisedSystem {
  dev: DevJson;
  stateDir: string;
  /** By name, `start` being the supervisor's own; its children as it last wrote them down, which it does once all are ready. */
  pids: () => Record<string, number | undefined>;
  /** Ends the supervisor alone. @returns how to ask, by name, what its successors found running and stopped */
  killSupervisor: () => Promise<() => string[]>;
  /** Until the supervisor has said that everything is ready. @throws Error when it never does */
  isUp: () => Promise<void>;
  /** Stops the system and removes its state, unless somebody wants to look into it. */
  stop: (options: { keepState: boolean }) => Promise<void>;
}

/** A supervisor that is not ready by then never is. */
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

  /** In a group of its own: an interrupt at a terminal is the campaign's, which stops it in order. */
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
