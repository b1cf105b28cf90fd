import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

const lookEveryMs = 250;
/** A number of looks in a row rather than seconds: a starved process looks less often. */
const looksUntilStuck = 20;

/**
 * Now and then the time-skipping server does not give back a lock of its time, and from then on its clock goes at the
 * pace of ours. A wait for a result that finds it so, with no task under way, gives the lock back in its place. Without a lock the server's clock jumps or stands, so do not use it then.
 * @param workers all that serve the server
 */
export function watchClock(env: TestWorkflowEnvironment, workers: ReadonlySet<Worker>): void {
  const { workflow } = env.client;
  const { testService } = env.connection;
  const result = workflow.result.bind(workflow);

  const isBusy = () =>
    [...workers]
      .map((worker) => worker.getStatus())
      .some((status) => status.numInFlightWorkflowActivations + status.numInFlightActivities > 0);
  const look = async (workflowId: string, runId: string | undefined) => {
    const { historyLength } = await workflow.getHandle(workflowId, runId).describe();
    return { historyLength, real: performance.now(), skipped: await env.currentTimeMs(), isBusy: isBusy() };
  };

  async function watch(workflowId: string, runId: string | undefined, ended: AbortSignal): Promise<void> {
    let quiet = 0;
    let before = await look(workflowId, runId);
    while (!ended.aborted) {
      await sleep(lookEveryMs, undefined, { signal: ended });
      const now = await look(workflowId, runId);
      const pace = (now.skipped - before.skipped) / (now.real - before.real);
      const isQuiet = !now.isBusy && now.historyLength === before.historyLength && pace > 0.5 && pace < 2;
      quiet = isQuiet ? quiet + 1 : 0;
      before = now;
      if (quiet < looksUntilStuck) continue;
      await testService?.unlockTimeSkipping({});
      quiet = 0;
    }
  }

  workflow.result = (async (...waited: Parameters<typeof result>) => {
    const [workflowId, runId] = waited;
    const ended = new AbortController();
    // Its target may be gone by then, and its change may be undone already.
    const watching = watch(workflowId, runId, ended.signal).catch(() => undefined);
    try {
      return await result(...waited);
    } finally {
      ended.abort();
      await watching;
    }
  }) as typeof result;
}
