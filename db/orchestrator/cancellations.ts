import type { Cancellation, CancellationRequest } from '../../domain/orchestrator/cancellation.js';
import { afterRefill, refillOf } from '../../domain/orchestrator/refills.js';
import type { ShipTo } from '../../domain/orchestrator/replacement.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { WorkItemKind } from '../../domain/work-items.js';
import { first, type Queryable, type Sql } from '../client.js';
import { aboutTask, closeWorkItem, reopenAnswered } from '../work-items.js';
import { findLiveReference, freeReference } from './order-references.js';
import { cancelDunning } from './dunning.js';
import type { BusinessDay } from './clock.js';
import { closeFailedRefill } from './failed-refills.js';
import { cancelPlanFill, judgeChangedPlan } from './plan-changes.js';
import { advanceSchedule, findSchedule, lockRefillsOf, lockSchedule } from './refill-schedules.js';
import { findTask, type Task } from './tasks.js';

/** The cancellation of a task (D104); undefined when nobody requested one. */
export const findCancellation = (sql: Queryable, taskId: string) =>
  first(sql<Cancellation[]>`
    select ${cancellationsBy(sql)}
    where cancellation.task_id = ${taskId}
  `);

const cancellationsBy = (sql: Queryable) => sql`
  cancellation.state, cancellation.reason, cancellation.refills_cancelled, cancellation.replacements_cancelled,
  case when cancellation.state = 'approved' then coalesce(payment.refunded_cents, 0) else 0 end as refunded_cents
  from orchestrator.cancellation
  left join orchestrator.payment on payment.task_id = cancellation.task_id
`;

export async function listCancellations(
  sql: Queryable,
  runIds: readonly string[],
): Promise<Map<string, Cancellation>> {
  const rows = await sql<(Cancellation & { runId: string })[]>`
    select cancellation.run_id, ${cancellationsBy(sql)}
    where cancellation.run_id = any(${sql.array([...runIds])}::uuid[])
  `;
  return new Map(rows.map(({ runId, ...cancellation }) => [runId, cancellation]));
}

/** The newest refill of a schedule that may have an order; undefined before the first. */
export async function findNewestRefill(sql: Queryable, scheduleId: string): Promise<string | undefined> {
  const [newest] = await sql<{ taskId: string }[]>`
    select refill.task_id
    from orchestrator.refill_schedule schedule
    cross join generate_series(schedule.refills_sent + 1, 1, -1) as n
    cross join lateral (
      select task_id from orchestrator.task where task_id = 'refill-' || schedule.id || '-' || n limit 1
    ) as refill
    where schedule.id = ${scheduleId}
    order by n desc
    limit 1
  `;
  return newest?.taskId;
}

/** Locks the task's row until the transaction ends, so that changes of a task or its order are serialized. */
export async function lockTask(sql: Queryable, taskId: string): Promise<Task | undefined> {
  await sql`select from orchestrator.task where task_id = ${taskId} for update`;
  return findTask(sql, taskId);
}

export type OpenedCancellation =
  /** `runs` is the workflow id of a run in progress, to be ended or awaited. */
  | { state: 'open'; runs: string | null; emrPatientId: string }
  | { state: 'approved' }
  /** A reroute is in progress. */
  | { state: 'busy' }
  | { state: 'unknown' | 'task_denied' };

/**
 * Records a cancellation request and reserves the task: nothing else can claim it until {@link endCancellation}. A
 * repeat joins the request.
 */
export const openCancellation = (
  sql: Sql,
  { reference, reason, stopRefills, requestedBy, askedAt, withoutOrder = false }: CancellationRequest,
): Promise<OpenedCancellation> =>
  sql.begin(async (sql): Promise<OpenedCancellation> => {
    const task = await lockTask(sql, reference);
    if (!task) return { state: 'unknown' };
    if (task.cancelledAt !== null) return { state: 'approved' };
    if (task.kind === 'deny') return { state: 'task_denied' };
    if (task.changing === 'reroute') return { state: 'busy' };
    await sql`
      update orchestrator.task set
        changing = 'cancellation', changing_since = coalesce(changing_since, ${askedAt ?? null}, now())
      where task_id = ${reference}
    `;
    await sql`
      insert into orchestrator.cancellation as cancellation
        (task_id, run_id, state, request_reason, stop_refills, without_order, requested_by)
      values (${reference}, ${task.runId}, 'pending', ${reason}, ${stopRefills}, ${withoutOrder}, ${requestedBy})
      on conflict (task_id) do update set
        run_id = excluded.run_id, state = 'pending', reason = null, request_reason = excluded.request_reason,
        stop_refills = excluded.stop_refills, without_order = excluded.without_order, requested_by = excluded.requested_by, requested_at = now(),
        answered_at = null
      where cancellation.state = 'denied'
    `;
    const [run] = await sql<{ workflowId: string; emrPatientId: string }[]>`
      select workflow_id, emr_patient_id from orchestrator.run where id = ${task.runId}
    `;
    if (!run) throw new Error('The task has no run');
    const runs = task.state === 'running' ? run.workflowId : null;
    return { state: 'open', runs, emrPatientId: run.emrPatientId };
  });

/** The order of a task after its run; `running` while a run is open. */
export type OrderAtEnd =
  | { state: 'running' }
  /** The run ended before it placed an order, or the pharmacy returned the order and no other pharmacy has it. */
  | { state: 'stopped' }
  /** The run failed before it placed an order, or no pharmacy accepted it. */
  | { state: 'none' }
  /** An order exists, or may exist, under this reference. */
  | { state: 'ordered'; reference: string };

/** @param stoppedText the error of a run that was cancelled */
export async function findOrderAtEnd(
  sql: Queryable,
  taskId: string,
  stoppedText: string,
): Promise<OrderAtEnd> {
  const [row] = await sql<
    {
      state: Task['state'];
      error: string | null;
      failedStep: string | null;
      isUnknown: boolean;
      reference: string | null;
    }[]
  >`
    select task.state, run.error, run.failed_step, run.unknown_submission_id is not null as is_unknown, ref.reference
    from orchestrator.task
    join orchestrator.run run on run.id = task.run_id
    left join orchestrator.order_reference ref on ref.task_id = task.task_id and ref.state = 'live'
    where task.task_id = ${taskId}
  `;
  if (!row) throw new Error('The task has no run');
  const { state, error, failedStep, isUnknown, reference } = row;
  if (state === 'running') return { state };
  if (state === 'completed')
    return reference === null ? { state: 'stopped' } : { state: 'ordered', reference };
  if (error === stoppedText && !isUnknown) return { state: 'stopped' };
  // A terminated run does not record its step. The order of an earlier run may exist, whatever the step.
  const isBefore = failedStep !== null && failedStep !== 'pharmacy_submission' && !isUnknown;
  return reference === null || isBefore ? { state: 'none' } : { state: 'ordered', reference };
}

const answersFor = { cancellation: ['cancel'], reroute: ['reroute', 'order_again'] } as const;

/** Reopens the items whose answer requested the change in progress, which has changed nothing. */
export async function reopenAsked(
  sql: Queryable,
  taskId: string,
  changing: keyof typeof answersFor,
): Promise<void> {
  const [asked] = await sql<{ since: Date }[]>`
    select changing_since as since from orchestrator.task
    where task_id = ${taskId} and changing = ${changing}
  `;
  if (!asked) return;
  for (const answer of answersFor[changing])
    await reopenAnswered(sql, 'orchestrator', { taskId, answer, ...asked });
}

/** Ends a request without an approval. @param denial the pharmacy's reason; null when there was nothing to cancel */
export const endCancellation = (sql: Sql, taskId: string, denial: string | null): Promise<void> =>
  sql.begin(async (sql) => {
    await lockTask(sql, taskId);
    await reopenAsked(sql, taskId, 'cancellation');
    await (denial === null
      ? sql`delete from orchestrator.cancellation where task_id = ${taskId} and state = 'pending'`
      : sql`
          update orchestrator.cancellation set state = 'denied', reason = ${denial}, answered_at = now()
          where task_id = ${taskId} and state = 'pending'
        `);
    await sql`
      update orchestrator.task set changing = null, changing_since = null
      where task_id = ${taskId} and changing = 'cancellation'
    `;
  });

interface CancelledTask {
  taskId: string;
  /** null without an order */
  submissionId: string | null;
  day: BusinessDay;
}

/**
 * Cancels a task after its pharmacy returned the order, or when it never had one. Ends its refills and dunning, frees
 * its reference, and closes its work items. One about a rejected refund would hold back the refund of all that is left.
 * Idempotent.
 */
export const cancelTask = (sql: Sql, cancelled: CancelledTask): Promise<void> =>
  sql.begin((sql) => cancelLockedTask(sql, cancelled));

/** Like {@link cancelTask}, in the transaction of the caller. */
export async function cancelLockedTask(
  sql: Queryable,
  { taskId, submissionId, day }: CancelledTask,
): Promise<void> {
  const task = await lockTask(sql, taskId);
  if (task?.cancelledAt !== null) return;
  // A fill that is cancelled is under way no more, so its plan asks for the decision at once (D125).
  await sql`
    update orchestrator.task set cancelled_at = now(), changing = null, changing_since = null
    where task_id = ${taskId}
  `;
  const refillsCancelled = await endRefills(sql, taskId, day);
  await sql`
    insert into orchestrator.cancellation (task_id, run_id, state, refills_cancelled, answered_at)
    values (${taskId}, ${task.runId}, 'approved', ${refillsCancelled}, now())
    on conflict (task_id) do update set
      state = 'approved', reason = null, refills_cancelled = excluded.refills_cancelled, answered_at = now(),
      run_id = excluded.run_id
  `;
  const live = await findLiveReference(sql, taskId);
  if (live) await freeReference(sql, live.reference, submissionId);
  await cancelDunning(sql, taskId);
  await closeWorkItem(sql, 'orchestrator', { kind: 'refund_failed', fact: taskId });
  await closeItems(sql, taskId);
}

/**
 * Ends the refills that the approval allowed; for a refill, those of its schedule if the request says so.
 * @returns how many
 */
async function endRefills(sql: Queryable, taskId: string, day: BusinessDay): Promise<number> {
  const refill = refillOf(taskId);
  if (refill) {
    const { scheduleId, n } = refill;
    // A refill that was cancelled before it counted is not sent again: the next one is due.
    const of = await findSchedule(sql, scheduleId);
    if (of) await lockRefillsOf(sql, of.emrPatientId);
    const schedule = await lockSchedule(sql, scheduleId);
    if (schedule && !(await cancelPlanFill(sql, scheduleId, n, day)))
      await advanceSchedule(sql, scheduleId, afterRefill(schedule, n, day.today));
  }
  const ended = await sql<{ id: string; refills: number }[]>`
    update orchestrator.refill_schedule set status = 'cancelled', updated_at = now()
    where status in ('active', 'paused') and (
      created_by_task = ${taskId} or (id = ${refill?.scheduleId ?? null}::uuid and exists (
        select from orchestrator.cancellation where task_id = ${taskId} and stop_refills
      ))
    )
    returning id, total_refills_allowed - refills_sent as refills
  `;
  for (const { id } of ended) {
    await closeFailedRefill(sql, id);
    await judgeChangedPlan(sql, id, day);
  }
  return ended.reduce((sum, { refills }) => sum + refills, 0);
}

/**
 * Items about a disputed charge, or another order's charge, stay open: cancelling the order does not return that money.
 * So does one about its parcel.
 */
async function closeItems(sql: Queryable, taskId: string): Promise<void> {
  const items = await sql<{ kind: WorkItemKind; fact: string }[]>`
    select kind, fact from orchestrator.work_item
    where state <> 'closed' and kind not in ('refund_failed', 'charge_disputed', 'shipped_after_cancel')
      and ${aboutTask(sql, taskId)}
  `;
  for (const item of items) await closeWorkItem(sql, 'orchestrator', item);
}

/** Tasks reserved for longer than `seconds`, oldest first. */
export const listOpenChanges = (sql: Queryable, olderThanSeconds: number) =>
  sql<OpenChange[]>`
    select task.task_id as reference, run.task_id, task.changing, task.reroute_to, task.reroute_ship_to,
      cancellation.request_reason as reason,
      coalesce(cancellation.stop_refills, false) as stop_refills,
      coalesce(cancellation.without_order, false) as without_order, cancellation.requested_by
    from orchestrator.task
    join orchestrator.run run on run.id = task.run_id
    left join orchestrator.cancellation on cancellation.task_id = task.task_id and cancellation.state = 'pending'
    where task.changing is not null and task.changing_since < now() - make_interval(secs => ${olderThanSeconds})
    order by task.changing_since
    limit 200
  `;

export interface OpenChange {
  /** The task id, or the reference of a refill. */
  reference: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  changing: NonNullable<Task['changing']>;
  rerouteTo: Pharmacy | null;
  rerouteShipTo: ShipTo | null;
  reason: string | null;
  stopRefills: boolean;
  withoutOrder: boolean;
  requestedBy: string | null;
}
