import type { Sql } from '../../db/client.js';
import { recordProgress } from '../../db/orchestrator/tasks.js';
import type { PipelineStep } from '../../domain/orchestrator/pipeline.js';
import type { Logger } from '../../platform/logger.js';

/** How far a run has come when it asks for an activity. */
export interface Progress {
  runId: string;
  completedSteps: readonly PipelineStep[];
}
export type ShowProgress = (progress: Progress | undefined) => void;

/**
 * Shows the progress of a run to those who ask for its status (D33): beside the work of the activity it comes with, not
 * in its way. What comes later says it again, and a step is never taken back.
 */
export const showingProgress =
  ({ sql, logger }: { sql: Sql; logger: Logger }): ShowProgress =>
  (progress) => {
    if (!progress) return;
    recordProgress(sql, progress.runId, progress.completedSteps).catch((err: unknown) =>
      logger.warn({ err, runId: progress.runId }, 'progress of the run was not recorded'),
    );
  };
