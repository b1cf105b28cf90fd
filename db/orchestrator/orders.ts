import type { OrderAddress } from '../../domain/orderable-patient.js';
import { first, type Queryable } from '../client.js';

/** One of our orders as the router knows it, with its run. */
export interface Order {
  reference: string;
  taskId: string;
  runId: string;
  emrPatientId: string;
  /** Medication key. */
  medication: string;
  /** Replaces the default directions. */
  dosage: string | null;
  /** The router's id; null when the run has no order yet. */
  submissionId: string | null;
}

/** The order of a task, a refill reference or a replacement; undefined when it is not ours. */
export const findOrder = (sql: Queryable, reference: string) =>
  first(sql<Order[]>`
    select task.task_id as reference, run.task_id, run.id as run_id, run.emr_patient_id, run.medication, run.dosage,
      run.result ->> 'submissionId' as submission_id
    from orchestrator.task task
    join orchestrator.run run on run.id = task.run_id
    where task.task_id = ${reference} and task.kind in ('approve', 'refill')
    union all
    select replacement.reference, run.task_id, run.id, run.emr_patient_id, run.medication, run.dosage,
      replacement.submission_id::text
    from orchestrator.replacement
    join orchestrator.run run on run.id = replacement.run_id
    where replacement.reference = ${reference}
    limit 1
  `);

/** `reference` is the order's own reference. After a reroute it differs from the task id (D105). */
export interface ReportedOrder extends Order {
  /** The task that the order belongs to; for a refill its reference, and for a replacement its own. */
  heldBy: string;
  /** A reroute of the task is in progress. */
  isMoving: boolean;
  /** The order was cancelled, returned, or lost and given up: the task has another one or none. */
  isFreed: boolean;
  /** The order was returned in a reroute or no pharmacy accepted it, so its updates do not change the task. */
  isMoved: boolean;
  /** The reason of a cancellation request; null when there was none. */
  cancelReason: string | null;
  /** Where the order goes, unless to the EMR's address (D119). */
  shipTo: OrderAddress | null;
  /** The order replaces a shipped one (D120). */
  isReplacement: boolean;
}

/** The order of a router's reference; undefined when it is not ours (D39). */
export const findReportedOrder = (sql: Queryable, reference: string) =>
  first(sql<ReportedOrder[]>`
    select ref.reference, task.task_id as held_by, run.task_id, run.id as run_id, run.emr_patient_id, run.medication, run.dosage,
      run.ship_to,
      coalesce(
        ref.submission_id::text, case when ref.state = 'live' then run.result ->> 'submissionId' end
      ) as submission_id,
      coalesce(task.changing = 'reroute', false) as is_moving, ref.state = 'freed' as is_freed,
      ref.state = 'freed' and (task.cancelled_at is null or exists (
        select from orchestrator.order_reference later where later.task_id = ref.task_id and later.n > ref.n
      )) as is_moved,
      -- A join could make Postgres read all tasks in order.
      (
        select request_reason from orchestrator.cancellation where task_id = ref.task_id and state <> 'denied'
      ) as cancel_reason,
      false as is_replacement
    from orchestrator.order_reference ref
    join orchestrator.task task on task.task_id = ref.task_id
    join orchestrator.run run on run.id = task.run_id
    where ref.reference = ${reference} and task.kind in ('approve', 'refill')
      and not exists (select from orchestrator.replacement where reference = ${reference})
    union all
    select replacement.reference, replacement.reference, run.task_id, run.id, run.emr_patient_id, run.medication,
      run.dosage, null, replacement.submission_id::text, false, replacement.state = 'cancelled', false, (
        select request_reason from orchestrator.cancellation
        where task_id = replacement.task_id and requested_at > replacement.created_at
      ), true
    from orchestrator.replacement
    join orchestrator.run run on run.id = replacement.run_id
    where replacement.reference = ${reference}
  `);

/** An order that exists, with the pharmacy's id. */
export interface PlacedOrder extends Order {
  submissionId: string;
  pharmacy: string;
  pharmacyOrderId: string;
  isReplacement: boolean;
}

/** The current order of a task, or a replacement, by the router's id; undefined when the task has another order or none. */
export const findPlacedOrder = (sql: Queryable, submissionId: string) =>
  first(sql<PlacedOrder[]>`
    select task.task_id as reference, run.task_id, run.id as run_id, run.emr_patient_id, run.medication, run.dosage,
      ${submissionId} as submission_id, pharmacy, case_id as pharmacy_order_id, false as is_replacement
    from orchestrator.pharmacy_case placed
    join orchestrator.run run on run.emr_patient_id = placed.emr_patient_id
    join orchestrator.task task on task.run_id = run.id
    where placed.submission_id = ${submissionId} and run.result ->> 'submissionId' = ${submissionId}
    union all
    select reference, run.task_id, run.id, run.emr_patient_id, run.medication, run.dosage,
      ${submissionId}, pharmacy, pharmacy_order_id, true
    from orchestrator.replacement
    join orchestrator.run run on run.id = run_id
    where submission_id = ${submissionId}::uuid and pharmacy_order_id is not null
    limit 1
  `);
