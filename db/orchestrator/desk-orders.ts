import type { Task } from './tasks.js';
import { first, type Queryable } from '../client.js';
import { type RefillSchedule, scheduleColumns } from './refill-schedules.js';

/** A task, or one refill, as the desk shows it (D135). */
export interface DeskOrder extends Pick<Task, 'changing' | 'cancelledAt'> {
  /** The task, or one refill. */
  reference: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  emrPatientId: string;
  /** Medication key. */
  medication: string;
  status: 'pending' | 'completed' | 'failed' | 'denied';
  /** Nobody is charged for it any more (D107). */
  isChargingOver: boolean;
  /** The step that failed the run. */
  failedStep: string | null;
  /** The run failed because no pharmacy took the order, so none exists. An outage of our own leaves that open. */
  isRejected: boolean;
  /** The current order's. */
  submissionId: string | null;
  pharmacy: string | null;
  /** The label's number, or the newest that the pharmacy named. */
  tracking: { trackingNumber: string; carrier: string | null } | null;
  payment: {
    status: 'pending' | 'succeeded' | 'failed';
    amountCents: number;
    currency: string;
    refundedCents: number;
    leftCents: number;
  } | null;
}

/** @param reference of the task, of one refill, or of an order of either (D105, D120) */
export const findDeskOrder = (sql: Queryable, reference: string) =>
  first(sql<DeskOrder[]>`
    select task.task_id as reference, run.task_id, run.emr_patient_id, run.medication, run.status, run.failed_step,
      task.changing, task.cancelled_at, own.submission_id, coalesce(shipment.pharmacy, live.pharmacy) as pharmacy,
      case when shipment.tracking_number is not null then json_build_object(
        'trackingNumber', shipment.tracking_number, 'carrier', shipment.carrier
      ) end as tracking,
      case when payment.task_id is not null then json_build_object(
        'status', payment.status, 'amountCents', amount_cents, 'currency', currency, 'refundedCents', refunded_cents,
        'leftCents', case when payment.status = 'succeeded' and cancelled_at is null then amount_cents - refunded_cents - (
          select coalesce(sum(part.amount_cents), 0) from orchestrator.part_refund part
          where part.reference = task.task_id and part.state = 'pending'
        ) else 0 end
      ) end as payment,
      exists (
        select from orchestrator.payment_recovery where reference = task.task_id and state = 'cancelled'
      ) as is_charging_over,
      run.status = 'failed' and own.submission_id is null and exists (
        select from orchestrator.work_item
        where kind = 'approval_failed' and fact = task.task_id
          and reason in ('no_pharmacy_route', 'medication_not_at_pharmacy', 'order_rejected')
      ) as is_rejected
    from orchestrator.task
    join orchestrator.run on run.id = task.run_id
    left join orchestrator.payment on payment.task_id = task.task_id
    left join orchestrator.order_reference live on live.task_id = task.task_id and live.state = 'live'
    cross join lateral (
      -- the first reference learns its order's id when it is freed
      select case when live.reference is not null then
        coalesce(live.submission_id::text, run.result ->> 'submissionId', run.unknown_submission_id::text)
      end as submission_id
    ) own
    left join orchestrator.shipment on shipment.submission_id = own.submission_id::uuid
    where task.task_id = coalesce(
      -- A replacement holds its own reference, so it comes first.
      (select task_id from orchestrator.replacement where replacement.reference = ${reference}),
      (select task_id from orchestrator.order_reference ref where ref.reference = ${reference}),
      ${reference}
    )
  `);

/** The schedule that an approval made, or that a refill is of. */
export const findScheduleOf = (
  sql: Queryable,
  { taskId, scheduleId }: { taskId: string; scheduleId: string | null },
) =>
  first(sql<RefillSchedule[]>`
    select ${scheduleColumns(sql)} from orchestrator.refill_schedule
    where created_by_task = ${taskId} or id = ${scheduleId}::uuid
  `);
