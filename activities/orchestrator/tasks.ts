import { clientOfKey } from '../../domain/clients.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { failureTypes } from '../../domain/failures.js';
import type { ApprovalErrorCode } from '../../domain/orchestrator/approval-errors.js';
import { cancelledText, heldBecause, operatorCancelledText } from '../../domain/orchestrator/cancellation.js';
import { outcomeEvents } from '../../domain/orchestrator/events.js';
import type { MedicationConfig } from '../../domain/orchestrator/medications.js';
import type { OrderAddress } from '../../domain/orderable-patient.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { nextFillDate, scheduleIdOf } from '../../domain/orchestrator/refills.js';
import type { Placing } from '../../domain/orchestrator/reroute.js';
import { insertAccessEvents } from '../../db/access/access-events.js';
import type { Sql } from '../../db/client.js';
import type { Today } from '../../db/orchestrator/clock.js';
import { applyDirections } from '../../db/orchestrator/directions.js';
import { recordEvents } from '../../db/orchestrator/events.js';
import { claimOrderReference } from '../../db/orchestrator/order-references.js';
import {
  type ClaimedRefill,
  claimRefill,
  NotDue,
  type RefillClaim,
} from '../../db/orchestrator/refill-claims.js';
import { countRefill, judgeUnsent } from '../../db/orchestrator/refill-counts.js';
import {
  lockSchedule,
  type NewSchedule,
  replaceSchedule,
  useUpShipTo,
} from '../../db/orchestrator/refill-schedules.js';
import { recordPharmacyCase, reportFailedShipment } from '../../db/orchestrator/shipments.js';
import {
  type Claim,
  claimForDenial,
  claimForRun,
  closeFailedApproval,
  type DenialClaim,
  type FailedApproval,
  findResult,
  findTask,
  finishDenial,
  finishRun,
  isTakenBack,
  reportFailedApproval,
} from '../../db/orchestrator/tasks.js';
import { findDoubtfulReference, holdEarlierOrder } from '../../db/orchestrator/unknown-orders.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

/** The result of a run, with the changes that follow from it. */
export interface Outcome {
  runId: string;
  result: PipelineResult;
  /** A submission that may have become an order (D114); null if the pharmacy rejected it. */
  unknownSubmissionId?: string | null | undefined;
  /** An earlier run sent that submission. */
  isEarlierOrder?: boolean | undefined;
  /** Opens a work item unless a person cancelled the task. */
  failedApproval?: Omit<FailedApproval, 'runId'> | undefined;
  /** Why a refill failed, whose work item names the step (D116). */
  code?: ApprovalErrorCode | undefined;
  /** The order's reference. */
  reference: string;
  /** The shipment that the shipping service rejected. */
  failedShipment?: { submissionId: string; taskId: string; workflowId: string } | undefined;
  order?: Parameters<typeof recordPharmacyCase>[1] | undefined;
  /** The refills that a completed approval allows (D40). */
  allows?: (Pick<NewSchedule, Allowed> & { taskId: string }) | undefined;
  /** Set for a refill run. */
  refill?: { scheduleId: string; n: number } | undefined;
}

type Allowed = 'emrPatientId' | 'medication' | 'dosage' | 'totalRefillsAllowed' | 'daysSupply';

/** The recorded answer of a completed task; else what its run orders. */
export type Claimed = { recorded: PipelineResult } | Ordering;
interface Ordering {
  /** null: the medication is unknown. For a refill with the quantity and days' supply of its schedule. */
  config: MedicationConfig | null;
  /** Present after a reroute (D105). */
  placing?: Placing;
  /** The directions of a refill's schedule. */
  dosage?: string;
  /** The address that a refill goes to instead of the EMR's (D119). */
  shipTo?: OrderAddress;
}

export const createTaskActivities = ({
  sql,
  today,
  timeZone,
}: {
  sql: Sql;
  today: Today;
  timeZone: string;
}) => ({
  /**
   * Claims the task for this run, opens the run's record (D32, D33), and performs step 1. Safe to retry: a run that
   * holds the task claims it again, and the caller is recorded once per run.
   * @returns the recorded answer of a completed approval; else the medication's configuration, null for an unknown
   * one, and `placing` if the order goes under another reference than the task's (D105). A refill takes directions
   * and address from its schedule (D119, D145).
   * @throws TaskConflict with the caller's text
   */
  async claimTask(claim: TaskClaim): Promise<Claimed> {
    const config = (await findMedicationConfig(sql, claim.medication)) ?? null;
    const { held, isFirstUse, ordered } = await claimFor(sql, claim, { isUnknown: config === null, today });
    if (held) {
      const ordering = orderingOf(config, ordered);
      if (isFirstUse) return ordering;
      const { reference, pharmacy } = await claimOrderReference(sql, claim.reference);
      return reference === claim.reference ? ordering : { ...ordering, placing: { reference, pharmacy } };
    }
    const task = await findTask(sql, claim.reference);
    const taken =
      claim.kind === 'refill'
        ? 'Refill schedule is cancelled'
        : 'Task already approved with different details';
    if (!task) throw permanentFailure(failureTypes.taskConflict, taken);
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
   * Closes the run and its task, and either creates the refill schedule or counts the refill. Safe to retry: a
   * success is recorded once, with what follows from it; a failure is written again.
   * @returns the recorded result if it differs: a run cancelled with its task (D104), or one that completed before
   */
  async recordOutcome(outcome: Outcome): Promise<PipelineResult | undefined> {
    const { runId, result, unknownSubmissionId, failedShipment: failed, order, allows, refill } = outcome;
    const { failedApproval, reference, isEarlierOrder = false } = outcome;
    const isOrderUnknown = typeof unknownSubmissionId === 'string';
    const filledOn = await today();
    const day = { today: filledOn, timeZone };
    return sql.begin(async (sql) => {
      const wasTakenBack = result.error === operatorCancelledText && (await isTakenBack(sql, runId));
      const recorded = wasTakenBack ? { ...result, error: cancelledText } : result;
      const finished = await finishRun(
        sql,
        runId,
        recorded,
        isEarlierOrder ? undefined : unknownSubmissionId,
      );
      if (!finished) return findResult(sql, runId);
      if (isEarlierOrder && isOrderUnknown) await holdEarlierOrder(sql, runId, unknownSubmissionId);
      if (failedApproval && !wasTakenBack) await reportFailedApproval(sql, { ...failedApproval, runId });
      else if (result.success || isOrderUnknown) await closeFailedApproval(sql, reference);
      if (!result.success) await judgeUnsent(sql, reference, day);
      if (failed) await reportFailedShipment(sql, { ...failed, reason: 'refused' });
      if (order) await recordPharmacyCase(sql, order);
      if (allows) {
        const { taskId, ...schedule } = allows;
        const dates = {
          lastFillDate: filledOn,
          nextFillDate: nextFillDate(filledOn, schedule.daysSupply),
        };
        const isNew = {
          client: clientOfKey(taskId),
          refillsSent: 0,
          createdByTask: taskId,
          requestedBy: null,
        };
        const hasNewDirections = await replaceSchedule(sql, { ...schedule, ...dates, ...isNew });
        if (hasNewDirections) await applyDirections(sql, taskId);
      }
      if (refill) {
        const schedule = await lockSchedule(sql, refill.scheduleId);
        if (schedule && (await countRefill(sql, schedule, refill.n, day)))
          await useUpShipTo(sql, schedule.id, runId);
      }
      await recordEvents(
        sql,
        outcomeEvents({
          ...{ reference, runId, result: recorded, ...finished },
          pharmacy: order?.pharmacy ?? null,
          isOrderUnknown,
          code: outcome.code ?? failedApproval?.reason,
        }),
      );
      return wasTakenBack ? recorded : undefined;
    });
  },
});

export type TaskActivities = ReturnType<typeof createTaskActivities>;

type TaskClaim = Claim & Pick<RefillClaim, 'dueOn'>;

async function claimFor(
  sql: Sql,
  claim: TaskClaim,
  { isUnknown, today }: { isUnknown: boolean; today: Today },
): Promise<ClaimedRefill> {
  const completed = isUnknown ? [] : ['medication_config' as const];
  const scheduleId = claim.kind === 'refill' ? scheduleIdOf(claim.taskId) : null;
  if (scheduleId === null) return claimForRun(sql, claim, completed);
  try {
    return await claimRefill(sql, { ...claim, scheduleId }, completed, await today());
  } catch (error) {
    if (error instanceof NotDue)
      throw permanentFailure(failureTypes.notDue, 'The refill was moved, skipped or paused');
    throw error;
  }
}

function orderingOf(config: MedicationConfig | null, ordered: ClaimedRefill['ordered']): Ordering {
  if (!ordered) return { config };
  const { dosage, quantity, daysSupply } = ordered.directions;
  return {
    config: config && { ...config, daysSupply, ...(quantity === null ? {} : { quantity: String(quantity) }) },
    ...(dosage === null ? {} : { dosage }),
    ...(ordered.shipTo === null ? {} : { shipTo: ordered.shipTo }),
  };
}

export const createDenialActivities = ({ sql, orders }: { sql: Sql; orders: OrderClient }) => ({
  /**
   * Claims the task for a denial and records it. Safe to retry: a denial that holds the task claims it again.
   * @returns false when the task was denied before, which gives the same answer
   * @throws TaskConflict when an approval holds it (D32), or the router has an order that no run has recorded
   */
  async claimDenial(claim: DenialClaim): Promise<boolean> {
    const reference = await findDoubtfulReference(sql, claim.taskId);
    if (reference !== undefined) {
      const mayExist = await calling(async () => {
        const order = await orders.findOrder(reference, callLimits());
        return order && orders.mayExist(order.submissionId, callLimits());
      });
      if (mayExist) throw permanentFailure(failureTypes.taskConflict, 'Task already approved');
    }
    if (await claimForDenial(sql, claim)) return true;
    const task = await findTask(sql, claim.taskId);
    if (task?.state === 'denied') return false;
    const why = (task && heldBecause(task)) ?? 'Task already approved';
    throw permanentFailure(failureTypes.taskConflict, why);
  },

  /** Allows a later approval. Safe to retry: it writes the same state again. */
  finishDenial: ({ runId }: { runId: string }) => finishDenial(sql, runId),
});

export type DenialActivities = ReturnType<typeof createDenialActivities>;
