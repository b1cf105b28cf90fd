import { retriedStatuses } from '../../domain/http-status.js';
import { chargeAgainPrefix } from '../../domain/orchestrator/shipments.js';
import type { PipelineStep } from '../../domain/orchestrator/pipeline.js';
import type { Queryable } from '../client.js';
import type { Run } from './runs.js';

/** A run with the reference of its order and charge. */
export interface TimelineRun extends Pick<
  Run,
  'id' | 'taskId' | 'medication' | 'status' | 'completedSteps' | 'warnings' | 'createdAt' | 'updatedAt'
> {
  failedStep: PipelineStep | null;
  workflowId: string;
  reference: string;
  submissionId: string | null;
  /** null where a denial named nobody. */
  emrPatientId: string | null;
  /** How many notices to the patient failed. */
  noticeAttempt: number;
  /** Calls to external services, oldest first. */
  calls: { party: string; at: Date; isFault: boolean }[];
}

/**
 * The runs of a task and of its refills, oldest first. Each has the calls of its workflow up to the next run with the
 * same workflow id.
 */
export async function listTimelineRuns(sql: Queryable, taskId: string): Promise<TimelineRun[]> {
  const runs = await sql<TimelineRun[]>`
    with own as (
      select run.*, lead(created_at) over (partition by workflow_id order by created_at) as next_at
      from orchestrator.run
      where task_id in (
        select ${taskId}::text
        union all
        select 'refill-' || id from orchestrator.refill_schedule where created_by_task = ${taskId}
      )
    )
    select id, task_id, workflow_id, medication, status, completed_steps, failed_step, warnings, created_at, updated_at,
      notice_attempt, emr_patient_id,
      coalesce(result ->> 'submissionId', unknown_submission_id::text) as submission_id,
      case when starts_with(workflow_id, 'refill:') then replace(workflow_id, ':', '-') else task_id end as reference,
      array(
        select jsonb_build_object(
          'party', type, 'at', call.created_at,
          'isFault', call.status is null or call.status >= 500 or call.status = any(${[...retriedStatuses]})
        )
        from orchestrator.downstream_call call
        where call.run_workflow_id = own.workflow_id and call.created_at >= own.created_at
          and (next_at is null or call.created_at < next_at)
        order by call.created_at
      ) as calls
    from own
    order by created_at, id
  `;
  return runs.map((run) => ({
    ...run,
    calls: run.calls.map(({ at, ...call }) => ({ ...call, at: new Date(at) })),
  }));
}

/** Records other than runs about these references. */
export interface TimelineFacts {
  charges: {
    reference: string;
    attempt: number;
    amountCents: number;
    refundedCents: number;
    currency: string;
    status: string;
    at: Date;
    changedAt: Date;
  }[];
  recoveries: { reference: string; state: string; messagesSent: number; openedAt: Date }[];
  shipments: {
    submissionId: string;
    state: string;
    hasLabel: boolean;
    hasTracking: boolean;
    parcels: number;
    createdAt: Date;
    shippedAt: Date | null;
    changedAt: Date;
  }[];
  cancellations: { state: string; reason: string | null; isAsked: boolean; requestedAt: Date }[];
  schedules: {
    medication: string;
    status: string;
    refillsSent: number;
    allowed: number;
    nextFillDate: string;
    createdAt: Date;
  }[];
  /** Changes of schedules by people: the changed fields. */
  directions: { fields: string[]; at: Date }[];
  orders: {
    reference: string;
    n: number;
    pharmacy: string | null;
    submissionId: string | null;
    createdAt: Date;
  }[];
}

/** @param task `scheduleId` is null unless the task belongs to a schedule; `references` are all of the task */
export async function listTimelineFacts(
  sql: Queryable,
  {
    taskId,
    scheduleId,
    references,
  }: { taskId: string; scheduleId: string | null; references: readonly string[] },
): Promise<TimelineFacts> {
  const those = sql.array([...references]);
  const [charges, recoveries, shipments, cancellations, schedules, directions, orders] = await Promise.all([
    sql<TimelineFacts['charges']>`
      select task_id as reference, attempt, amount_cents, refunded_cents, currency, status,
        coalesce(paid_at, case when status = 'pending' then created_at else updated_at end) as at,
        updated_at as changed_at
      from orchestrator.payment
      -- One list, because an OR with a subquery would read the whole table.
      where task_id in (
        select unnest(${those}::text[])
        union all
        select ${chargeAgainPrefix} || submission_id
        from orchestrator.order_reference
        where task_id = any(${those}) and submission_id is not null
      )
    `,
    sql<TimelineFacts['recoveries']>`
      select reference, state, messages_sent, opened_at
      from orchestrator.payment_recovery
      -- a cancelled task has a row even when no charge failed
      where reference = any(${those}) and (state <> 'cancelled' or messages_sent > 0 or retries_done > 0)
    `,
    sql<TimelineFacts['shipments']>`
      select submission_id, state, shipment_id is not null as has_label, tracking_number is not null as has_tracking,
        (select count(*)::int from orchestrator.parcel where parcel.submission_id = shipment.submission_id) as parcels,
        created_at, shipped_at, updated_at as changed_at
      from orchestrator.shipment
      where task_id in (
        select unnest(${those}::text[])
        union all
        select reference from orchestrator.order_reference where task_id = any(${those})
      )
    `,
    sql<TimelineFacts['cancellations']>`
      select state, reason, request_reason is not null as is_asked, requested_at
      from orchestrator.cancellation
      where task_id = any(${those})
    `,
    sql<TimelineFacts['schedules']>`
      select medication, status, refills_sent, total_refills_allowed as allowed, next_fill_date, created_at
      from orchestrator.refill_schedule
      where created_by_task = ${taskId} or id = ${scheduleId}::uuid
    `,
    sql<TimelineFacts['directions']>`
      select at, array_remove(array[
        case when dosage is not null then 'dosage' end, case when quantity is not null then 'quantity' end,
        case when days_supply is not null then 'daysSupply' end
      ], null) as fields
      from orchestrator.direction_change
      where hold_id is null and task_id in (
        select 'refill-' || id from orchestrator.refill_schedule
        where created_by_task = ${taskId} or id = ${scheduleId}::uuid
      )
    `,
    sql<TimelineFacts['orders']>`
      select reference, n, pharmacy, submission_id, created_at
      from orchestrator.order_reference
      where task_id = any(${those})
    `,
  ]);
  return { charges, recoveries, shipments, cancellations, schedules, directions, orders };
}
