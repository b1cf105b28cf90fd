import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import type { Logger } from '../platform/logger.js';
import { workerRestarts } from '../platform/metrics.js';
import type { TaskQueue } from '../workflows/queues.js';

/** After this many consecutive failures the worker is not restarted. */
const maxFailures = 3;
const firstPauseMs = 1_000;
/**
 * A worker that ran this long counts as healthy, so its next failure counts as the first. The SDK keeps a rejected
 * worker alive for a minute.
 */
const steadyMs = 5 * 60_000;

interface KeptWorker {
  polls: () => boolean;
  /** Resolves when the worker has stopped; rejects when it failed and cannot restart. */
  running: Promise<void>;
  /** Call it after aborting `signal`. The worker takes no new tasks. */
  stop: () => void;
}

/**
 * Runs the worker of a queue and replaces it when it fails, because Temporal rejected it or a workflow thread ended.
 * Temporal retries its tasks elsewhere, as after any lost worker.
 * @param signal aborted when the process stops, after which no worker is restarted
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
    for (let failures = 0; !isOver();) {
      const begunMs = Date.now();
      try {
        worker ??= await again();
        await Promise.race([worker.run(), failed(worker)]);
        if (isOver()) return;
        throw new Error('The worker ended without a stop');
      } catch (err) {
        worker = undefined;
        if (isOver()) return;
        failures = Date.now() - begunMs > steadyMs ? 1 : failures + 1;
        if (failures === maxFailures) throw err;
        logger.error({ err, taskQueue: queue, count: failures }, 'a worker failed and is restarted');
        workerRestarts.inc({ queue });
      }
      await sleep(firstPauseMs * 2 ** (failures - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The SDK may wait forever for the end of a failed worker. @throws 2 s after the worker failed */
async function failed(worker: Worker): Promise<never> {
  while (worker.getState() !== 'FAILED') {
    await sleep(1_000, undefined, { ref: false });
    if (worker.getState() === 'STOPPED') await new Promise(() => undefined);
  }
  await sleep(2_000);
  throw new Error('The worker failed');
}

function isPolling(worker: Worker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  return runState === 'RUNNING' && workflowPollerState === 'POLLING' && activityPollerState === 'POLLING';
}
