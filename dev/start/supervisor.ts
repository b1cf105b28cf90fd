import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identify, type ProcessIdentity } from '../process-identity.js';
import type { Report } from '../progress.js';
import { projectRoot } from '../project-root.js';
import { type RecordedChild, recordChildren, stopProcess } from './leftovers.js';

export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The user that runs it; default: the current user. */
  user?: { uid: number; gid: number };
  /** Waits until leftovers of a killed process allow a restart. */
  clear?: () => Promise<void>;
  /** `message`: the child sends `{ready: true}`. Otherwise a check that runs every 50 ms. */
  ready: 'message' | (() => Promise<boolean>);
  stopSignal: RecordedChild['stopSignal'];
  /** SIGKILL follows after this time. */
  stopWithinMs: number;
}

export interface Supervisor {
  /** Starts a child and waits until it is ready. @throws Error if it exits or does not become ready */
  start: (spec: ChildSpec) => Promise<void>;
  /** The current pid of each child by name. */
  pids: () => Record<string, number>;
  /**
   * Stops all children in reverse order of their start. Repeated calls are safe.
   * @param withinMs timeout for each, default: its own
   */
  stop: (withinMs?: number) => Promise<void>;
}

const readyWithinMs = 60_000;
const logLimitBytes = 20 * 1024 * 1024;
/** A child that was ready this long counts as healthy, so its next crash counts as the first. */
const steadyAfterMs = 1_000;
const shortestPauseMs = 100;
const longestPauseMs = 2_000;

interface Child {
  spec: ChildSpec;
  process: ChildProcess;
  /** Undefined if it exited at once. */
  identity: ProcessIdentity | undefined;
  /** When it became ready; undefined while it starts. */
  readySinceMs: number | undefined;
  quickDeaths: number;
  /** True after its first readiness: from then on, the supervisor restarts it. */
  kept: boolean;
  restart?: NodeJS.Timeout;
}

/**
 * Keeps children running. It restarts a child within a second, and backs off to 2 s if the child keeps crashing at
 * once.
 * It records pids and start times on disk first, so that the next start finds them after a kill.
 */
export function createSupervisor(options: {
  stateDir: string;
  report: Report;
  onRestart: () => void;
}): Supervisor {
  const { stateDir, report, onRestart } = options;
  const logFolder = join(stateDir, 'logs');
  const children: Child[] = [];
  let stopping: Promise<void> | undefined;
  mkdirSync(logFolder, { recursive: true });

  const record = () =>
    recordChildren(
      stateDir,
      children.flatMap(({ spec, identity }) =>
        identity ? [{ name: spec.name, stopSignal: spec.stopSignal, ...identity }] : [],
      ),
    );

  async function launch(child: Child): Promise<void> {
    const { spec } = child;
    const logPath = join(logFolder, `${spec.name}.log`);
    child.process = spawnChild(spec, logPath);
    child.identity = child.process.pid === undefined ? undefined : identify(child.process.pid);
    child.readySinceMs = undefined;
    record();
    child.process.once('error', () => undefined); // an executable that cannot be run also ends in `close`
    child.process.once('exit', (code, signal) => ended(child, signal ?? `code ${code ?? '?'}`));
    await untilReady(child, logPath);
    child.readySinceMs = Date.now();
  }

  function ended(child: Child, how: string): void {
    child.identity = undefined;
    if (stopping || !child.kept) return;
    const steady = child.readySinceMs !== undefined && Date.now() - child.readySinceMs > steadyAfterMs;
    child.quickDeaths = steady ? 0 : child.quickDeaths + 1;
    const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** child.quickDeaths);
    report(`${child.spec.name} ended (${how}); starting it again in ${(pauseMs / 1000).toFixed(1)} s`);
    child.restart = setTimeout(() => void restart(child), pauseMs);
  }

  async function restart(child: Child): Promise<void> {
    await child.spec.clear?.();
    if (stopping) return;
    launch(child).catch(() => undefined); // its end has been seen above
    onRestart();
  }

  async function start(spec: ChildSpec): Promise<void> {
    await spec.clear?.();
    if (stopping) throw new Error(`${spec.name} was not started: the system is stopping`);
    const child = { spec, quickDeaths: 0, kept: false } as Child;
    children.push(child);
    rotateLog(join(logFolder, `${spec.name}.log`));
    await launch(child);
    child.kept = true;
  }

  async function stopAll(withinMs = Infinity): Promise<void> {
    for (const { restart } of children) clearTimeout(restart);
    for (const { spec, identity } of children.toReversed()) {
      if (identity) await stopProcess(identity, spec.stopSignal, Math.min(spec.stopWithinMs, withinMs));
    }
    recordChildren(stateDir, []);
  }

  return {
    start,
    pids: () => Object.fromEntries(children.map(({ spec, process: { pid } }) => [spec.name, pid ?? 0])),
    stop: (withinMs) => (stopping ??= stopAll(withinMs)),
  };
}

/**
 * Each child leads its own process group, so Ctrl-C reaches only the supervisor, which stops children in order. The
 * child writes its own log, so logging survives the supervisor. No shell stands in between, so the pid is the
 * child's.
 */
function spawnChild(spec: ChildSpec, logPath: string): ChildProcess {
  const log = openSync(logPath, 'a', 0o600);
  try {
    return spawn(spec.command, spec.args, {
      cwd: projectRoot,
      env: spec.env,
      ...spec.user,
      detached: true,
      stdio: ['ignore', log, log, ...(spec.ready === 'message' ? (['ipc'] as const) : [])],
    });
  } finally {
    closeSync(log);
  }
}

async function untilReady(child: Child, logPath: string): Promise<void> {
  const { spec, process: running } = child;
  let announced = false;
  running.on('message', (message) => {
    if (typeof message === 'object' && 'ready' in message) announced = true;
  });
  let failure: Error | undefined;
  running.once('error', (error) => (failure = error));
  const isReady = spec.ready === 'message' ? async () => announced : spec.ready;
  const deadlineMs = Date.now() + readyWithinMs;
  while (!(await isReady())) {
    if (failure ?? (running.exitCode !== null || running.signalCode !== null))
      throw new Error(
        `${spec.name} ended before it was ready: ${failure?.message ?? tail(logPath)} (log: ${logPath})`,
      );
    if (Date.now() > deadlineMs) throw new Error(`${spec.name} was not ready within 60 s (log: ${logPath})`);
    await pause(50);
  }
}

function rotateLog(path: string): void {
  if (existsSync(path) && statSync(path).size > logLimitBytes) renameSync(path, `${path}.1`);
}

/** The last lines of the log, without stack frames. */
const tail = (path: string): string =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /\w/.test(line) && !/^\s+at |^Node\.js v|^node:|^\s+(code|url): /.test(line))
    .slice(-3)
    .map((line) => line.trim())
    .join(' | ')
    .slice(-600);
