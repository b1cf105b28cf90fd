import { failureTypes } from '../../domain/failures.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { afterRefill, nextFillDate } from '../../domain/orchestrator/refills.js';
import { insertAccessEvents } from '../../db/access/access-events.js';
import type { Sql } from '../../db/client.js';
import { advanceSchedule, lockSchedule, replaceSchedule } from '../../db/orchestrator/refill-schedules.js';
import { recordPharmacyCase, reportFailedShipment } from '../../db/orchestrator/shipments.js';
import {
  findResult,
  type Claim,
  claimForRun,
  findTask,
  finishRun,
  recordProgress,
} from '../../db/orchestrator/tasks.js';
import { businessDay } from '../../platform/business-day.js';
import { refuse } from '../failures.js';

/** A run ended like this, with what follows from its success. */
export interface Outcome {
  runId: string;
  result: PipelineResult;
  /** The submission of which nobody knows whether it became an order (D114). */
  unknownSubmissionId?: string;
  /** The shipment that the shipping service refused. */
  failedShipment?: { submissionId: string; taskId: string; workflowId: string };
  order?: { pharmacy: string; pharmacyOrderId: string; emrPatientId: string; submissionId: string };
  /** The refills that a completed approval allows (D40). */
  allows?: {
    taskId: string;
    emrPatientId: string;
    medication: string;
    dosage: string | null;
    totalRefillsAllowed: number;
    daysSupply: number;
  };
  /** The refill that this was. */
  refill?: { scheduleId: string; n: number };
}

export const createTaskActivities = ({ sql, timeZone }: { sql: Sql; timeZone: string }) => ({
  /**
   * Claims the task for this run and opens the run's record (D32, D33).
   * @returns the recorded answer when the same approval has completed before
   * @throws TaskConflict with the text the caller gets
   *
   * Safe to retry: a run that already holds the task claims it again, and who asked is noted with its record.
   */
  async claimTask(claim: Claim): Promise<{ recorded?: PipelineResult }> {
    if (await claimForRun(sql, claim)) return {};
    const task = await findTask(sql, claim.reference);
    if (task?.kind === 'deny') throw refuse(failureTypes.taskConflict, 'Task is being denied');
    if (task?.detailsHash !== claim.detailsHash)
      throw refuse(failureTypes.taskConflict, 'Task already approved with different details');
    const recorded = await findResult(sql, task.runId);
    if (!recorded) throw new Error('A completed task has no recorded result');
    if (claim.access) await insertAccessEvents(sql, [claim.access]);
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

  /**
   * Closes the run and its task, together with what follows from its success: the schedule of its refills, or the
   * refill being counted.
   *
   * Safe to retry: it writes the same end again; a schedule is made, and a refill counted, once.
   */
  async recordOutcome(outcome: Outcome): Promise<void> {
    const { runId, result, unknownSubmissionId, failedShipment: failed, order, allows, refill } = outcome;
    const today = businessDay(timeZone);
    await sql.begin(async (sql) => {
      await finishRun(sql, runId, result, unknownSubmissionId);
      if (failed) await reportFailedShipment(sql, { ...failed, reason: 'refused' });
      if (order) await recordPharmacyCase(sql, order);
      if (allows) {
        const { taskId, ...schedule } = allows;
        await replaceSchedule(sql, {
          ...schedule,
          refillsSent: 0,
          lastFillDate: today,
          nextFillDate: nextFillDate(today, schedule.daysSupply),
          createdByTask: taskId,
          requestedBy: null,
        });
      }
      if (refill) {
        const schedule = await lockSchedule(sql, refill.scheduleId);
        if (schedule) await advanceSchedule(sql, refill.scheduleId, afterRefill(schedule, refill.n, today));
      }
    });
  },
});

export type TaskActivities = ReturnType<typeof createTaskActivities>;
