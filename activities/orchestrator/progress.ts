import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Sql } from '../../db/client.js';
import { recordProgress } from '../../db/orchestrator/tasks.js';
import type { PipelineStep } from '../../domain/orchestrator/pipeline.js';
import type { Logger } from '../../platform/logger.js';

/** How far a run has come when it asks for an activity. */
export interface Progress {
  runId: string;
  completedSteps: readonly PipelineStep[];
}

/** Whoever asks for a run's status cannot tell what was over sooner. */
const shownAfterMs = 250;

/**
 * Shows the progress of a run to those who ask for its status (D33) once an activity that comes with it takes its time, or
 * fails: beside the work, not in its way. What comes later says it again, and a step is never taken back.
 */
export const showProgress = ({
  sql,
  logger,
}: {
  sql: Sql;
  logger: Logger;
}): ActivityInboundCallsInterceptor => ({
  async execute(input, next) {
    const { progress } = (input.args[0] ?? {}) as { progress?: Progress };
    if (!progress) return next(input);
    const show = () =>
      void recordProgress(sql, progress.runId, progress.completedSteps).catch((err: unknown) =>
        logger.warn({ err, runId: progress.runId }, 'progress of the run was not recorded'),
      );
    const timer = setTimeout(show, shownAfterMs);
    try {
      return await next(input);
    } catch (error) {
      show();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  },
});
