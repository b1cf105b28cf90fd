import type { RerouteRequest } from '../../domain/orchestrator/reroute.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem, reopenAnswered } from '../work-items.js';
import { lockTask } from './cancellations.js';
import { findLiveReference, freeReference, nextReference, type OrderReference } from './order-references.js';
import { recordPharmacyCase } from './shipments.js';
import { heldBecause } from './tasks.js';

/** The run that holds a task whose order is to be moved. */
interface MovedRun {
  id: string;
  workflowId: string;
  /** What it is recorded under. */
  taskId: string;
  kind: 'approve' | 'refill';
  /** It has failed, before anything was charged: what follows the order is still to be done. */
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
  /** `references`: all there were, the newest first; `live`: under which there may be an order. */
  | { state: 'open'; run: MovedRun; references: string[]; live: OrderReference | null }
  /** Another run is at the task. */
  | { state: 'busy' }
  | { state: 'unknown' }
  | { state: 'refused'; why: string };

/** Takes a task for the run that moves its order: nobody else claims it until {@link endReroute}. Asked again it is the same. */
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

/**
 * Frees the reference of the order that was given back, if there is one, and takes the next, in one transaction: there is
 * never a second one that is live.
 */
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

/** The task goes on with its new order. */
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
    await closeWorkItem(sql, 'orchestrator', { kind: 'approval_failed', fact: order.taskId });
  });

/**
 * The new pharmacy has not taken the order, so that there is none. Where it was charged already, a person decides.
 * @param workflowId of the run that moved it
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
    await lockTask(sql, taskId);
    await freeReference(sql, reference, submissionId);
    const charged = await sql`
      select from orchestrator.payment where task_id = ${taskId} and status in ('pending', 'succeeded')
    `;
    if (charged.length > 0)
      await openWorkItem(sql, 'orchestrator', {
        kind: 'approval_failed',
        fact: taskId,
        reason: 'reroute_rejected',
        references: { taskId },
        workflowId,
      });
    const [asked] = await sql<{ changingSince: Date }[]>`
      select changing_since from orchestrator.task where task_id = ${taskId} and changing = 'reroute'
    `;
    if (asked)
      await reopenAnswered(sql, 'orchestrator', { taskId, answer: 'reroute', since: asked.changingSince });
    await release(sql, taskId);
  });

/** Lets others at the task again. */
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
