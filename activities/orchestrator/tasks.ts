import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { failureTypes } from '../../domain/failures.js';
import { cancelledText, heldBecause, operatorCancelledText } from '../../domain/orchestrator/cancellation.js';
import type { MedicationConfig } from '../../domain/orchestrator/medications.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { afterRefill, nextFillDate } from '../../domain/orchestrator/refills.js';
import type { Placing } from '../../domain/orchestrator/reroute.js';
import { insertAccessEvents } from '../../db/access/access-events.js';
import type { Sql } from '../../db/client.js';
import { claimOrderReference } from '../../db/orchestrator/order-references.js';
import {
  advanceSchedule,
  lockSchedule,
  type NewSchedule,
  replaceSchedule,
} from '../../db/orchestrator/refill-schedules.js';
import { recordPharmacyCase, reportFailedShipment } from '../../db/orchestrator/shipments.js';
import {
  closeFailedApproval,
  findResult,
  type Claim,
  claimForRun,
  findTask,
  finishRun,
  isTakenBack,
  reportFailedApproval,
} from '../../db/orchestrator/tasks.js';
import { businessDay } from '../../platform/business-day.js';
import { permanentFailure } from '../failures.js';

/** A run ended like this, with what follows from its success. */
export interface Outcome {
  runId: string;
  result: PipelineResult;
  /** The submission of which nobody knows whether it became an order (D114). */
  unknownSubmissionId?: string | undefined;
  /** It failed since a party was away, and not by what was asked for. */
  failedApproval?: { reference: string; taskId: string; workflowId: string } | undefined;
  /** The order's. */
  reference: string;
  /** The shipment that the shipping service refused. */
  failedShipment?: { submissionId: string; taskId: string; workflowId: string } | undefined;
  order?: Parameters<typeof recordPharmacyCase>[1] | undefined;
  /** The refills that a completed approval allows (D40). */
  allows?: (Pick<NewSchedule, Allowed> & { taskId: string }) | undefined;
  /** The refill that this was. */
  refill?: { scheduleId: string; n: number } | undefined;
}

type Allowed = 'emrPatientId' | 'medication' | 'dosage' | 'totalRefillsAllowed' | 'daysSupply';

/** The recorded answer of a task that has completed; else the medication's configuration, null for an unknown one. */
export type Claimed = { recorded: PipelineResult } | { config: MedicationConfig | null; placing?: Placing };

export const createTaskActivities = ({ sql, timeZone }: { sql: Sql; timeZone: string }) => ({
  /**
   * Claims the task for this run, opens the run's record (D32, D33), and takes step 1 with it.
   * @returns the recorded answer when the same approval has completed before; else the configuration of the medication,
   *   null where it is unknown, and `placing` where the order goes under another reference than the task's own (D105)
   * @throws TaskConflict with the text the caller gets
   *
   * Safe to retry: a run that already holds the task claims it again, and who asked is noted with its record.
   */
  async claimTask(claim: Claim): Promise<Claimed> {
    const config = (await findMedicationConfig(sql, claim.medication)) ?? null;
    const { held, isFirstUse } = await claimForRun(sql, claim, config === null ? [] : ['medication_config']);
    if (held) {
      if (isFirstUse) return { config };
      const { reference, pharmacy } = await claimOrderReference(sql, claim.reference);
      return reference === claim.reference ? { config } : { config, placing: { reference, pharmacy } };
    }
    const task = await findTask(sql, claim.reference);
    if (!task) throw permanentFailure(failureTypes.taskConflict, 'Refill schedule is cancelled');
    const why = task.state === 'completed' && task.cancelledAt === null ? undefined : heldBecause(task);
    if (why !== undefined) throw permanentFailure(failureTypes.taskConflict, why);
    if (task.kind === 'deny') throw permanentFailure(failureTypes.taskConflict, 'Task is being denied');
    if (task.detailsHash !== claim.detailsHash)
      throw permanentFailure(failureTypes.taskConflict, 'Task already approved with different details');
    const recorded = await findResult(sql, task.runId);
    if (!recorded) throw new Error('A completed task has no recorded result');
    if (claim.access) await insertAccessEvents(sql, [claim.access]);
    return { recorded };
  },

  /**
   * Closes the run and its task, together with what follows from its success: the schedule of its refills, or the
   * refill being counted.
   * @returns the result as recorded, where that is another: a run that was cancelled with its task says so (D104), and
   *   one that has completed before keeps that end
   *
   * Safe to retry: a success is recorded once, with what follows from it; a failure is written again.
   */
  async recordOutcome(outcome: Outcome): Promise<PipelineResult | undefined> {
    const { runId, result, unknownSubmissionId, failedShipment: failed, order, allows, refill } = outcome;
    const { failedApproval, reference } = outcome;
    const today = businessDay(timeZone);
    return sql.begin(async (sql) => {
      const wasTakenBack = result.error === operatorCancelledText && (await isTakenBack(sql, runId));
      const recorded = wasTakenBack ? { ...result, error: cancelledText } : result;
      if (!(await finishRun(sql, runId, recorded, unknownSubmissionId))) return findResult(sql, runId);
      if (failedApproval)
        await reportFailedApproval(sql, { ...failedApproval, step: result.failedStep ?? 'unknown' });
      else if (result.success || unknownSubmissionId !== undefined) await closeFailedApproval(sql, reference);
      if (failed) await reportFailedShipment(sql, { ...failed, reason: 'refused' });
      if (order) await recordPharmacyCase(sql, order);
      if (allows) {
        const { taskId, ...schedule } = allows;
        const dates = { lastFillDate: today, nextFillDate: nextFillDate(today, schedule.daysSupply) };
        const isNew = { refillsSent: 0, createdByTask: taskId, requestedBy: null };
        await replaceSchedule(sql, { ...schedule, ...dates, ...isNew });
      }
      if (refill) {
        const schedule = await lockSchedule(sql, refill.scheduleId);
        if (schedule) await advanceSchedule(sql, refill.scheduleId, afterRefill(schedule, refill.n, today));
      }
      return wasTakenBack ? recorded : undefined;
    });
  },
});

export type TaskActivities = ReturnType<typeof createTaskActivities>;
