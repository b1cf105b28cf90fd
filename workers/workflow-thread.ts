import { encodeVersioningBehavior, type VersioningBehavior } from '@temporalio/common';
import { type Logger, Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js';
import type { Workflow, WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import type { WorkflowBundleWithSourceMapAndFilename as Bundle } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';
import { versioning } from '../workflows/versioning.js';

/**
 * A kind of worker whose workers run their workflows in the same thread. Left alone each takes a thread of its own, which
 * loads the SDK and the bundle for itself: a third of a second of CPU and some 30 MB for each queue. A second would have
 * nothing to do: the main thread works twice as much for a run. Runs are told apart by their ids, so a thread may have
 * those of several queues.
 * @param activityNames of all queues together: what a workflow in this thread may call as a local activity
 * @param isVersioned whether the workers are of a version, to which the runs of some workflows keep
 */
export function sharingThread(activityNames: readonly string[], isVersioned: boolean): typeof Worker {
  const activities = new Map(activityNames.map((name) => [name, () => Promise.resolve()]));
  let bundle: Promise<Bundle | undefined> | undefined;
  let thread: Promise<WorkflowCreator> | undefined;
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
      thread ??= super.createWorkflowCreator(bundle, { ...options, activities }, logger);
      const shared = await thread;
      return {
        createWorkflow: async (options) => {
          const workflow = await shared.createWorkflow(options);
          return isVersioned ? keeping(workflow, behaviors[options.info.workflowType]) : workflow;
        },
        // The last to stop ends it.
        destroy: async () => {
          if (--users === 0) await shared.destroy();
        },
      };
    }
  };
}

const behaviors: Readonly<Record<string, VersioningBehavior>> = versioning;

/**
 * A workflow that says with each step to which version its run keeps. In the bundle it would be said without a version
 * too, which the server refuses: a run that moves from workers of a version to others could not go on.
 */
const keeping = (workflow: Workflow, behavior: VersioningBehavior | undefined): Workflow => ({
  activate: async (activation) => {
    const completion = await workflow.activate(activation);
    if (completion.successful)
      completion.successful.versioningBehavior = encodeVersioningBehavior(behavior) ?? null;
    return completion;
  },
  getAndResetSinkCalls: () => workflow.getAndResetSinkCalls(),
  dispose: () => workflow.dispose(),
});
