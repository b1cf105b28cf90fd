import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import type { Logger } from '../platform/logger.js';
import { workerRestarts } from '../platform/metrics.js';
import type { TaskQueue } from '../workflows/queues.js';

/** Deaths in a row of which the last is final. */
const maxDeaths = 3;
const firstPauseMs = 1_000;
/** One that has lived for so long was well: its next death is the first again. Of a refused one the SDK makes a minute. */
const steadyMs = 5 * 60_000;

interface KeptWorker {
  /** Whether it takes tasks at this moment. */
  polls: () => boolean;
  /** Resolves when it has been stopped; rejects when it died and cannot come back. */
  running: Promise<void>;
  /** To be called once `signal` has been aborted: takes nothing new from now on. */
  stop: () => void;
}

/**
 * Runs the worker of a queue, and another one in its place when it dies: Temporal has refused it, or a thread of its
 * workflows has ended. What it was at work with is tried again elsewhere, as after any lost worker.
 * @param signal aborted when the process stops: nothing is started again
 */
export function keepPolling(
  first: Worker,
  again: () => Promise<Worker>,
  { queue, logger, signal }: { queue: TaskQueue; logger: Logger; signal: AbortSignal },
): KeptWorker {
  let worker: Worker | undefined = first;
  return {
    polls: () => worker !== undefined && isPolling(worker),
    running: run(),
    stop: () => {
      if (worker?.getState() === 'RUNNING') worker.shutdown();
    },
  };

  async function run(): Promise<void> {
    const isOver = () => signal.aborted;
    for (let deaths = 0; !isOver();) {
      const begunMs = Date.now();
      try {
        worker ??= await again();
        await Promise.race([worker.run(), failed(worker)]);
        if (isOver()) return;
        throw new Error('The worker has ended by itself');
      } catch (err) {
        worker = undefined;
        if (isOver()) return;
        deaths = Date.now() - begunMs > steadyMs ? 1 : deaths + 1;
        if (deaths === maxDeaths) throw err;
        logger.error({ err, taskQueue: queue, count: deaths }, 'a worker has died, and is started again');
        workerRestarts.inc({ queue });
      }
      await sleep(firstPauseMs * 2 ** (deaths - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The SDK may wait for ever for the end of a worker that has failed. @throws when it has failed for a moment */
async function failed(worker: Worker): Promise<never> {
  while (worker.getState() !== 'FAILED') {
    await sleep(1_000, undefined, { ref: false });
    if (worker.getState() === 'STOPPED') await new Promise(() => undefined);
  }
  await sleep(2_000);
  throw new Error('The worker has failed');
}

function isPolling(worker: Worker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  return runState === 'RUNNING' && workflowPollerState === 'POLLING' && activityPollerState === 'POLLING';
}
