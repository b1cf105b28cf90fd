import { availableParallelism } from 'node:os';
import { type Logger, Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import type { WorkflowBundleWithSourceMapAndFilename as Bundle } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';

/**
 * A kind of worker whose workers run their workflows in the same threads, no more than there are processors. Left alone
 * each takes a thread of its own, which loads the SDK and the bundle for itself: a third of a second of CPU and some
 * 30 MB for each queue. Runs are told apart by their ids, so a thread may have those of several queues.
 * @param activityNames of all queues together: what a workflow in these threads may call as a local activity
 */
export function sharingThreads(queueCount: number, activityNames: readonly string[]): typeof Worker {
  const activities = new Map(activityNames.map((name) => [name, () => Promise.resolve()]));
  const workflowThreadPoolSize = Math.min(queueCount, availableParallelism());
  let bundle: Promise<Bundle | undefined> | undefined;
  let threads: Promise<WorkflowCreator> | undefined;
  let users = 0;

  return class extends Worker {
    protected static override getOrCreateBundle(options: CompiledWorkerOptions, logger: Logger) {
      return (bundle ??= super.getOrCreateBundle(options, logger));
    }

    protected static override async createWorkflowCreator(
      bundle: Bundle,
      options: CompiledWorkerOptions,
      logger: Logger,
    ): Promise<WorkflowCreator> {
      users++;
      threads ??= super.createWorkflowCreator(
        bundle,
        { ...options, activities, workflowThreadPoolSize },
        logger,
      );
      const shared = await threads;
      return {
        createWorkflow: (workflow) => shared.createWorkflow(workflow),
        // The last to stop ends them.
        destroy: async () => {
          if (--users === 0) await shared.destroy();
        },
      };
    }
  };
}
