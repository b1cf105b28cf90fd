import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import type { RerouteRequest } from '../../domain/orchestrator/reroute.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import type { Queryable, Sql } from '../client.js';
import { reopenAnswered } from '../work-items.js';
import { lockTask } from './cancellations.js';
import { findLiveReference, freeReference, nextReference, type OrderReference } from './order-references.js';
import { closeMissingOrder } from './missing-orders.js';
import { recordPharmacyCase } from './shipments.js';
import { closeFailedApproval, reportFailedApproval } from './tasks.js';

/** The run that holds a task whose order is to be moved. */
interface MovedRun {
  id: string;
  workflowId: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  kind: 'approve' | 'refill';
  /** The run failed before it charged anything, so the steps after the order remain. */
  isFailed: boolean;
  detailsHash: string;
  medication: string;
  emrPatientId: string;
  dosage: string | null;
  requestedBy: string | null;
  patientName: string;
  state: string;
}

export type OpenedReroute =
  /** `references`: newest first; `live`: the one under which an order may exist. */
  | { state: 'open'; run: MovedRun; references: string[]; live: OrderReference | null }
  /** Another run holds the task. */
  | { state: 'busy' }
  | { state: 'unknown' }
  | { state: 'refused'; why: string };

/**
 * Reserves a task for the run that moves its order; nothing else can claim it until {@link endReroute}. Idempotent.
 */
export const openReroute = (sql: Sql, { reference, pharmacy }: RerouteRequest): Promise<OpenedReroute> =>
  sql.begin(async (sql): Promise<OpenedReroute> => {
    const task = await lockTask(sql, reference);
    if (!task) return { state: 'unknown' };
    if (task.cancelledAt !== null) return { state: 'refused', why: heldBecause(task) ?? '' };
    if (task.kind === 'deny') return { state: 'refused', why: 'Task was denied' };
    if (task.changing === 'cancellation' || task.state === 'running') return { state: 'busy' };
    const [run] = await sql<(MovedRun & { failedStep: string | null; result: PipelineResult | null })[]>`
      select id, workflow_id, task_id, medication, emr_patient_id, dosage, requested_by, failed_step, result,
        status = 'failed' as is_failed
      from orchestrator.run where id = ${task.runId}
    `;
    if (!run) throw new Error('The task has no run');
    const { failedStep, result, ...held } = run;
    if (run.isFailed && failedStep !== null && failedStep !== 'pharmacy_submission')
      return { state: 'refused', why: 'There is no order to move' };
    await sql`
      update orchestrator.task set
        changing = 'reroute', changing_since = coalesce(changing_since, now()), reroute_to = ${pharmacy}
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
        detailsHash: task.detailsHash,
        patientName: result?.patientName ?? '',
        state: result?.state ?? '',
      },
      references: references.map(({ reference }) => reference),
      live: (await findLiveReference(sql, reference)) ?? null,
    };
  });

/** Frees the reference of the returned order and takes the next one in one transaction, so that only one is live. */
export const moveReference = (
  sql: Sql,
  {
    taskId,
    pharmacy,
    freed,
  }: {
    taskId: string;
    pharmacy: RerouteRequest['pharmacy'];
    freed: { reference: string; submissionId: string | null } | null;
  },
): Promise<string> =>
  sql.begin(async (sql) => {
    await lockTask(sql, taskId);
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
    await closeFailedApproval(sql, order.taskId);
    await closeMissingOrder(sql, order.taskId);
  });

/**
 * Records that the new pharmacy did not accept the order. Opens a work item if the task was charged.
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
    await freeReference(sql, reference, submissionId);
    const charged = await sql`
      select from orchestrator.payment where task_id = ${taskId} and status in ('pending', 'succeeded')
    `;
    if (task && charged.length > 0)
      await reportFailedApproval(sql, {
        reference: taskId,
        runId: task.runId,
        taskId,
        workflowId,
        reason: refillOf(taskId) ? 'reroute_rejected' : 'order_rejected',
        canReroute: true,
      });
    const [asked] = await sql<{ changingSince: Date }[]>`
      select changing_since from orchestrator.task where task_id = ${taskId} and changing = 'reroute'
    `;
    if (asked)
      for (const answer of ['reroute', 'order_again'] as const)
        await reopenAnswered(sql, 'orchestrator', { taskId, answer, since: asked.changingSince });
    await release(sql, taskId);
  });

export const endReroute = (sql: Sql, taskId: string): Promise<void> =>
  sql.begin(async (sql) => {
    await lockTask(sql, taskId);
    await release(sql, taskId);
  });

async function release(sql: Queryable, taskId: string): Promise<void> {
  await sql`
    update orchestrator.task set changing = null, changing_since = null
    where task_id = ${taskId} and changing = 'reroute'
  `;
}
