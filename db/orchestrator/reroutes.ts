import { isDeepStrictEqual } from 'node:util';
import type { CalendarDay } from '../../domain/calendar.js';
import { approvalErrorCode, isUnplaced } from '../../domain/orchestrator/approval-errors.js';
import { type NewEvent, submittedFact } from '../../domain/orchestrator/events.js';
import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import type { RerouteEnd, RerouteRequest } from '../../domain/orchestrator/reroute.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import type { ShipTo } from '../../domain/orchestrator/replacement.js';
import type { OrderAddress } from '../../domain/orderable-patient.js';
import { orderAddressOf } from '../../domain/orchestrator/shipments.js';
import type { Queryable, Sql } from '../client.js';
import { reopenAnswered } from '../work-items.js';
import { lockTask, reopenAsked } from './cancellations.js';
import { recordEvent, recordEvents } from './events.js';
import { findLiveReference, freeReference, nextReference, type OrderReference } from './order-references.js';
import { closeMissingOrder } from './missing-orders.js';
import { heldRefill } from './refill-claims.js';
import { recordPharmacyCase } from './shipments.js';
import { closeFailedApproval, reportFailedApproval } from './tasks.js';
import { detailsHashOf, placedBy } from './unknown-orders.js';

/** The run that holds a task whose order is to be moved. */
interface MovedRun {
  id: string;
  workflowId: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  kind: 'approve' | 'refill';
  /** The run failed before it charged anything, so the steps after the order remain. */
  isFailed: boolean;
  /** A refill that the router rejected without keeping it, so there is no order to move yet (D116). */
  isUnplaced: boolean;
  detailsHash: string;
  medication: string;
  emrPatientId: string;
  dosage: string | null;
  requestedBy: string | null;
  patientName: string;
  state: string;
}

export type OpenedReroute =
  | {
      state: 'open';
      run: MovedRun;
      /** Newest first. */
      references: string[];
      /** The one under which an order may exist. */
      live: OrderReference | null;
      /** The address that this request asks for, or the lost run that it takes over from; null: the present one stays. */
      shipTo: ShipTo | null;
      /** The live reference was not taken for `shipTo`. */
      isOtherAddress: boolean;
    }
  /** Another run holds the task. */
  | { state: 'busy' }
  | { state: 'unknown' }
  | { state: 'refused'; why: string };

/**
 * Reserves a task for the run that moves its order; nothing else can claim it until {@link endReroute}. Idempotent.
 * @param today judges the gate of a plan (D126)
 */
export const openReroute = (
  sql: Sql,
  { reference, pharmacy, shipTo: asked, askedAt }: RerouteRequest,
  today: CalendarDay,
): Promise<OpenedReroute> =>
  sql.begin(async (sql): Promise<OpenedReroute> => {
    const task = await lockTask(sql, reference);
    if (!task) return { state: 'unknown' };
    if (task.cancelledAt !== null) return { state: 'refused', why: heldBecause(task) ?? '' };
    if (task.kind === 'deny') return { state: 'refused', why: 'Task was denied' };
    if (task.changing === 'cancellation' || task.state === 'running') return { state: 'busy' };
    const [run] = await sql<(MovedRun & FailedRun & { shipTo: OrderAddress | null })[]>`
      select id, workflow_id, task_id, medication, emr_patient_id, dosage, requested_by, failed_step, error, result, ship_to,
        unknown_submission_id, status = 'failed' as is_failed
      from orchestrator.run where id = ${placedBy(sql, task.runId)}
    `;
    if (!run) throw new Error('The task has no run');
    const { failedStep, error, result, unknownSubmissionId, shipTo: present, ...held } = run;
    const [lost] = await sql<{ rerouteShipTo: ShipTo | null }[]>`
      select reroute_ship_to from orchestrator.task where task_id = ${reference}
    `;
    const shipTo = asked ?? lost?.rerouteShipTo ?? null;
    // Before the reservation, so that only a run that takes over finds its reference taken.
    const live = (await findLiveReference(sql, reference)) ?? null;
    const isBeforeOrder = failedStep !== null && failedStep !== 'pharmacy_submission';
    const isUnplacedRefill = run.isFailed && task.kind === 'refill' && isUnplaced(error);
    let why = run.isFailed && (isBeforeOrder || shipTo) ? 'There is no order to move' : undefined;
    // An order that may exist moves whatever its plan waits for. So does one that this reroute has placed already.
    if (run.isFailed && unknownSubmissionId === null && task.changing === null)
      why ??= await heldRefill(sql, reference, { isUnplaced: isUnplacedRefill, today });
    if (why !== undefined) {
      const since = askedAt === undefined ? undefined : new Date(askedAt);
      if (since) await reopenAnswered(sql, 'orchestrator', { taskId: reference, answer: 'reroute', since });
      return { state: 'refused', why };
    }
    await sql`
      update orchestrator.task set
        changing = 'reroute', changing_since = coalesce(changing_since, ${askedAt ?? null}, now()),
        reroute_to = ${pharmacy}, reroute_ship_to = ${shipTo && sql.json({ ...shipTo })}
      where task_id = ${reference}
    `;
    const references = await sql<{ reference: string }[]>`
      select reference from orchestrator.order_reference where task_id = ${reference} order by n desc
    `;
    return {
      state: 'open',
      run: {
        ...held,
        kind: task.kind,
        isUnplaced: isUnplacedRefill,
        detailsHash: task.kind === 'refill' ? '' : detailsHashOf(held),
        patientName: result?.patientName ?? '',
        state: result?.state ?? '',
      },
      references: references.map(({ reference }) => reference),
      live,
      shipTo,
      isOtherAddress: shipTo !== null && !isDeepStrictEqual(present, orderAddressOf(shipTo)),
    };
  });

interface FailedRun {
  failedStep: string | null;
  error: string | null;
  result: PipelineResult | null;
  /** The submission whose order may exist. */
  unknownSubmissionId: string | null;
}

/**
 * Frees the reference of the returned order and takes the next one in one transaction, so that only one is live. From
 * then on the task's order goes to the new address, if there is one.
 */
export const moveReference = (
  sql: Sql,
  {
    taskId,
    pharmacy,
    shipTo,
    freed,
  }: {
    taskId: string;
    pharmacy: RerouteRequest['pharmacy'];
    shipTo?: ShipTo | null;
    freed: { reference: string; submissionId: string | null } | null;
  },
): Promise<string> =>
  sql.begin(async (sql) => {
    const task = await lockTask(sql, taskId);
    if (shipTo)
      await sql`
        update orchestrator.run set ship_to = ${sql.json({ ...orderAddressOf(shipTo) })}, updated_at = now()
        where id = ${task?.runId ?? null}
      `;
    if (freed) await freeReference(sql, freed.reference, freed.submissionId);
    const { reference } = await nextReference(sql, taskId, pharmacy);
    return reference;
  });

export interface MovedOrder {
  taskId: string;
  reference: string;
  submissionId: string;
  pharmacy: string;
  pharmacyOrderId: string;
  emrPatientId: string;
}

/** Records the new order of a rerouted task. */
export const recordMoved = (sql: Sql, order: MovedOrder): Promise<void> =>
  sql.begin(async (sql) => {
    const task = await lockTask(sql, order.taskId);
    await sql`
      update orchestrator.order_reference set submission_id = ${order.submissionId}
      where reference = ${order.reference}
    `;
    await sql`
      update orchestrator.run set
        result = jsonb_set(result, '{submissionId}', to_jsonb(${order.submissionId}::text)), updated_at = now()
      where id = ${task?.runId ?? null} and status = 'completed'
    `;
    await recordPharmacyCase(sql, order);
    await recordEvents(sql, reroutedEvents(order));
    await closeFailedApproval(sql, order.taskId);
    await closeMissingOrder(sql, order.taskId);
  });

/**
 * Records that the new pharmacy did not accept the order. Opens a work item if the task was charged, or its run has ended
 * well: the patient expects the medicine.
 * @param workflowId of the reroute
 */
export const recordNotTaken = (
  sql: Sql,
  {
    taskId,
    reference,
    submissionId,
    workflowId,
  }: { taskId: string; reference: string; submissionId: string | null; workflowId: string },
): Promise<void> =>
  sql.begin(async (sql) => {
    const task = await lockTask(sql, taskId);
    const taken = await findLiveReference(sql, taskId);
    await freeReference(sql, reference, submissionId);
    if (taken?.reference === reference)
      await recordEvent(sql, {
        type: 'order.rejected',
        taskId,
        fact: `order.rejected ${reference}`,
        data: { submissionId, pharmacy: taken.pharmacy, reference, code: 'order_rejected' },
      });
    const charged = await sql`
      select from orchestrator.payment where task_id = ${taskId} and status in ('pending', 'succeeded')
    `;
    if (task && (task.state === 'completed' || charged.length > 0))
      await reportFailedApproval(sql, {
        reference: taskId,
        runId: task.runId,
        taskId,
        workflowId,
        reason: refillOf(taskId) ? 'pharmacy_submission' : 'order_rejected',
        canReroute: true,
        canApproveAgain: task.state !== 'completed',
      });
    await reopenAsked(sql, taskId, 'reroute');
    await release(sql, taskId);
  });

/**
 * Records what became of the first order of a refill at the pharmacy named for it, and releases the task (D116). The
 * refill's own run has recorded and counted it.
 */
export const recordPlaced = (
  sql: Sql,
  {
    taskId,
    reference,
    pharmacy,
  }: { taskId: string; reference: string; pharmacy: RerouteRequest['pharmacy'] },
): Promise<RerouteEnd> =>
  sql.begin(async (sql): Promise<RerouteEnd> => {
    const task = await lockTask(sql, taskId);
    const [run] = await sql<FailedRun[]>`
      select failed_step, error, result, unknown_submission_id from orchestrator.run where id = ${task?.runId ?? null}
    `;
    await release(sql, taskId);
    const submissionId = run?.result?.submissionId;
    if (task?.state === 'completed' && submissionId !== undefined) {
      await sql`
        update orchestrator.order_reference set submission_id = ${submissionId} where reference = ${reference}
      `;
      await recordEvents(sql, reroutedEvents({ taskId, submissionId, pharmacy, reference }));
      return { state: 'moved', submissionId, pharmacy, reference };
    }
    if (run && run.unknownSubmissionId !== null) return { state: 'unknown' };
    await freeReference(sql, reference, null);
    const error = run?.error ?? 'There is no order now';
    const failed = { step: 'pharmacy_submission' as const, reason: error };
    const cannotFill = approvalErrorCode(failed, false) === 'medication_not_at_pharmacy';
    return cannotFill
      ? { state: 'unfillable', error: `${pharmacy} cannot fill this prescription` }
      : { state: 'rejected', error };
  });

/** The new order of a task, and that it took the place of another one. */
function reroutedEvents(order: Omit<MovedOrder, 'emrPatientId' | 'pharmacyOrderId'>): NewEvent[] {
  const { taskId, submissionId, pharmacy, reference } = order;
  const data = { submissionId, pharmacy, reference };
  return [
    { type: 'order.submitted', taskId, fact: submittedFact(submissionId), data },
    { type: 'order.rerouted', taskId, fact: `order.rerouted ${submissionId}`, data },
  ];
}

/** Releases the task. @param isRefused nothing was moved, so the items whose answer requested it reopen */
export const endReroute = (
  sql: Sql,
  { taskId, isRefused = false }: { taskId: string; isRefused?: boolean },
): Promise<void> =>
  sql.begin(async (sql) => {
    await lockTask(sql, taskId);
    if (isRefused) {
      await reopenAsked(sql, taskId, 'reroute');
      const live = await findLiveReference(sql, taskId);
      if (live && !live.isMissing) await closeMissingOrder(sql, taskId);
    }
    await release(sql, taskId);
  });

async function release(sql: Queryable, taskId: string): Promise<void> {
  await sql`
    update orchestrator.task set changing = null, changing_since = null, reroute_ship_to = null
    where task_id = ${taskId} and changing = 'reroute'
  `;
}
