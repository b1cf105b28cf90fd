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
  /** Who it runs as; ourselves when absent. */
  user?: { uid: number; gid: number };
  /** Until what a killed one left lets the next one start; at once when absent. */
  clear?: () => Promise<void>;
  /** `message`: it sends `{ready: true}`; otherwise a question asked every 50 ms until it is true. */
  ready: 'message' | (() => Promise<boolean>);
  stopSignal: RecordedChild['stopSignal'];
  /** After that it is killed. */
  stopWithinMs: number;
}

export interface Supervisor {
  /** Starts a child and waits until it is ready. @throws Error with one sentence when it ends or stays silent instead */
  start: (spec: ChildSpec) => Promise<void>;
  /** The present pid of each child by name. */
  pids: () => Record<string, number>;
  /**
   * Stops all children, the last started first. Safe to call twice.
   * @param withinMs for each, where nobody needs what it still has to do; otherwise its own time
   */
  stop: (withinMs?: number) => Promise<void>;
}

const readyWithinMs = 60_000;
const logLimitBytes = 20 * 1024 * 1024;
/** Ready for that long, a child has not died "at once". */
const steadyAfterMs = 1_000;
const shortestPauseMs = 100;
const longestPauseMs = 2_000;

interface Child {
  spec: ChildSpec;
  process: ChildProcess;
  /** Undefined when it was gone before it could be looked at. */
  identity: ProcessIdentity | undefined;
  /** Since when it is ready; undefined while it starts. */
  readySinceMs: number | undefined;
  quickDeaths: number;
  /** It was ready once: from then on it is started again when it ends. */
  kept: boolean;
  restart?: NodeJS.Timeout;
}

/**
 * Keeps children running: one that dies after it was ready is started again within a second, with a pause that grows
 * to 2 s while it keeps dying at once. Their pids and start times are on disk before anything else happens, so that
 * the start after a kill finds them.
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

  /** Settles when the child is ready, or is not going to be. */
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
 * The child leads a group of its own, so that Ctrl-C reaches only the supervisor, which stops in order; it writes to
 * its log by itself, so that it survives the supervisor. Its pid is the real one: no shell in between.
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

/** What the log ends with, without stack frames and the other lines that say nothing by themselves. */
const tail = (path: string): string =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /\w/.test(line) && !/^\s+at |^Node\.js v|^node:|^\s+(code|url): /.test(line))
    .slice(-3)
    .map((line) => line.trim())
    .join(' | ')
    .slice(-600);
