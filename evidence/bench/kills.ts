import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { startSystem } from '../../dev/start/system.js';
import { temporal } from '../../platform/temporal/proto.js';
import { taskQueues } from '../../workflows/queues.js';
import { cpuMs } from './processes.js';
import type { Figure } from './report.js';

const kills = 10;
const lookEveryMs = 20;
/** The supervisor delays the restart of a child that dies sooner (dev/start/supervisor.ts). */
const steadyMs = 2_000;

/** A restart after a kill: wall time since the kill, and CPU time of the new process. */
interface Start {
  ms: number;
  cpuMs: number;
}

/** Measures how soon APIs answer and workers poll after SIGKILL, each in its own process. */
export async function afterKills(): Promise<Figure[]> {
  const stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-bench-'));
  // Postgres drops root's rights and still has to read this folder.
  await chmod(stateDir, 0o755);
  const { dev, stop } = await startSystem({ stateDir, portBase: 0, quiet: true, split: true });
  const connection = await Connection.connect({ address: dev.temporal.address });

  /** The readiness of each API; undefined if its port is closed. */
  const statuses = (): Promise<(number | undefined)[]> =>
    Promise.all(
      Object.values(dev.services).map(async (url) => {
        try {
          const answer = await fetch(`${url}/ready`);
          await answer.arrayBuffer();
          return answer.status;
        } catch {
          return undefined;
        }
      }),
    );
  const isAnswering = async () => (await statuses()).every((status) => status !== undefined);
  const isReadyAgain = async () => (await statuses()).every((status) => status === 200);
  /** True once the new process polls each queue. */
  async function isPolled(): Promise<boolean> {
    const pollers = await Promise.all(
      Object.values(taskQueues).map(async (name) => {
        const { pollers } = await connection.workflowService.describeTaskQueue({
          namespace: dev.temporal.namespace,
          taskQueue: { name },
          taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        });
        return pollers;
      }),
    );
    const identity = `${dev.pids.workers}@`;
    return pollers.every((of) => of.some((poller) => poller.identity?.startsWith(identity)));
  }
  /** Kills a process and records when each check first succeeds. */
  async function kill(name: 'api' | 'workers', looks: [Start[], () => Promise<boolean>][]): Promise<void> {
    await pause(steadyMs);
    const before = dev.pids[name];
    const killedAt = performance.now();
    process.kill(before, 'SIGKILL');
    for (const [starts, look] of looks) {
      while (dev.pids[name] === before || !(await look())) await pause(lookEveryMs);
      starts.push({ ms: performance.now() - killedAt, cpuMs: cpuMs([dev.pids[name]]) });
    }
  }

  const answering: Start[] = [];
  const ready: Start[] = [];
  const polling: Start[] = [];
  try {
    for (let n = 0; n < kills; n += 1) {
      await kill('api', [
        [answering, isAnswering],
        [ready, isReadyAgain],
      ]);
      await kill('workers', [[polling, isPolled]]);
    }
  } finally {
    await connection.close();
    await stop();
    await rm(stateDir, { recursive: true, force: true });
  }
  return [
    ...figuresOf('kill of the APIs to all ten answering', answering),
    ...figuresOf('kill of the APIs to all ten ready', ready),
    ...figuresOf('kill of the workers to all queues polled', polling),
  ];
}

function figuresOf(figure: string, starts: readonly Start[]): Figure[] {
  const spread = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(1);
    return `${at(0.5)} s, at most ${at(1)} s`;
  };
  return [
    { figure, measured: spread(starts.map(({ ms }) => ms)), goal: '<= 5 s' },
    { figure: `${figure}: CPU time`, measured: spread(starts.map(({ cpuMs }) => cpuMs)), goal: '<= 2 s' },
  ];
}
