import { first, type Queryable } from '../client.js';

/** An order of ours as the router knows it: its reference, and the run that made it. */
export interface Order {
  reference: string;
  taskId: string;
  runId: string;
  emrPatientId: string;
  /** Medication key. */
  medication: string;
  /** In place of the usual directions. */
  dosage: string | null;
  /** The router's id; null while the run has no result yet, or one without an order. */
  submissionId: string | null;
}

/** The order of a task, or of a refill by its reference; undefined for one that is not ours. */
export const findOrder = (sql: Queryable, reference: string): Promise<Order | undefined> =>
  first(sql<Order[]>`
    select task.task_id as reference, run.task_id, run.id as run_id, run.emr_patient_id, run.medication, run.dosage,
      run.result ->> 'submissionId' as submission_id
    from orchestrator.task task
    join orchestrator.run run on run.id = task.run_id
    where task.task_id = ${reference} and task.kind in ('approve', 'refill')
  `);

/** What the router reports on is an order's own reference: of a task that was moved to another pharmacy it is not the task (D105). */
export interface ReportedOrder extends Order {
  /** The task that the order is of; for a refill its reference. */
  heldBy: string;
  /** Its task is being moved to another pharmacy. */
  isMoving: boolean;
  /** It was given back at a reroute, or no pharmacy took it: what becomes of it changes nothing for its task. */
  isMoved: boolean;
  /** Why it was to be cancelled, where somebody asked for that. */
  cancelReason: string | null;
}

/** The order of a router's reference; undefined for one that is not ours (D39). */
export const findReportedOrder = (sql: Queryable, reference: string): Promise<ReportedOrder | undefined> =>
  first(sql<ReportedOrder[]>`
    select ref.reference, task.task_id as held_by, run.task_id, run.id as run_id, run.emr_patient_id, run.medication, run.dosage,
      coalesce(
        ref.submission_id::text, case when ref.state = 'live' then run.result ->> 'submissionId' end
      ) as submission_id,
      coalesce(task.changing = 'reroute', false) as is_moving,
      ref.state = 'freed' and (task.cancelled_at is null or exists (
        select from orchestrator.order_reference later where later.task_id = ref.task_id and later.n > ref.n
      )) as is_moved,
      -- Not a join, for which all tasks might be read in order.
      (
        select request_reason from orchestrator.cancellation where task_id = ref.task_id and state <> 'denied'
      ) as cancel_reason
    from orchestrator.order_reference ref
    join orchestrator.task task on task.task_id = ref.task_id
    join orchestrator.run run on run.id = task.run_id
    where ref.reference = ${reference} and task.kind in ('approve', 'refill')
  `);

/** An order that exists, with how its pharmacy knows it. */
export interface PlacedOrder extends Order {
  submissionId: string;
  pharmacy: string;
  pharmacyOrderId: string;
}

/** The order of the router's id that a task has now; undefined where it has none, or another. */
export const findPlacedOrder = (sql: Queryable, submissionId: string): Promise<PlacedOrder | undefined> =>
  first(sql<PlacedOrder[]>`
    select task.task_id as reference, run.task_id, run.id as run_id, run.emr_patient_id, run.medication, run.dosage,
      ${submissionId} as submission_id, pharmacy, case_id as pharmacy_order_id
    from orchestrator.pharmacy_case placed
    join orchestrator.run run on run.emr_patient_id = placed.emr_patient_id
    join orchestrator.task task on task.run_id = run.id
    where placed.submission_id = ${submissionId} and run.result ->> 'submissionId' = ${submissionId}
    limit 1
  `);
