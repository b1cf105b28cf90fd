import { failureTypes } from '../../domain/failures.js';
import type { PipelineResult } from '../../domain/pipeline.js';
import type { Sql } from '../../db/client.js';
import { findResult } from '../../db/orchestrator/runs.js';
import {
  type Claim,
  claimForApproval,
  findTask,
  finishRun,
  recordProgress,
} from '../../db/orchestrator/tasks.js';
import { refuse } from '../failures.js';

export const createTaskActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Claims the task for this run and opens the run's record (D32, D33).
   * @returns the recorded answer when the same approval has completed before
   * @throws TaskConflict with the text the caller gets
   *
   * Safe to retry: a run that already holds the task claims it again.
   */
  async claimTask(claim: Claim): Promise<{ recorded?: PipelineResult }> {
    if (await claimForApproval(sql, claim)) return {};
    const task = await findTask(sql, claim.taskId);
    if (task?.kind === 'deny') throw refuse(failureTypes.taskConflict, 'Task is being denied');
    if (task?.detailsHash !== claim.detailsHash)
      throw refuse(failureTypes.taskConflict, 'Task already approved with different details');
    const recorded = await findResult(sql, task.runId);
    if (!recorded) throw new Error('A completed task has no recorded result');
    return { recorded };
  },

  /** Shows the steps done so far. Safe to retry: steps are only ever added. */
  async recordProgress({
    runId,
    completedSteps,
  }: {
    runId: string;
    completedSteps: string[];
  }): Promise<void> {
    await recordProgress(sql, runId, completedSteps);
  },

  /** Closes the run and its task. Safe to retry: it writes the same end again. */
  async recordOutcome({ runId, result }: { runId: string; result: PipelineResult }): Promise<void> {
    await finishRun(sql, runId, result);
  },
});

export type TaskActivities = ReturnType<typeof createTaskActivities>;
