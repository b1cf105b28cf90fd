import { clientOfKey } from '../../domain/clients.js';
import { clientOf } from './clients.js';
import type { AccessEvent } from '../../domain/access-events.js';
import { type HeldTask, terminatedText } from '../../domain/orchestrator/cancellation.js';
import type { PipelineResult, PipelineStep } from '../../domain/orchestrator/pipeline.js';
import { refillOf, scheduleIdOf } from '../../domain/orchestrator/refills.js';
import { workItemKinds } from '../../domain/work-items.js';
import { noted } from '../access/access-events.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import { recordEvent } from './events.js';
import { closeFailedRefill, reportFailedRefill } from './failed-refills.js';

export interface Task extends HeldTask {
  /** The task id, or the reference of a refill. */
  taskId: string;
  kind: 'approve' | 'deny' | 'refill';
  state: 'running' | 'completed' | 'failed' | 'denied';
  detailsHash: string;
  runId: string;
}

export const findTask = (sql: Queryable, taskId: string) =>
  first(sql<Task[]>`
    select task_id, kind, state, details_hash, run_id, changing, cancelled_at
    from orchestrator.task
    where task_id = ${taskId}
  `);

export async function findResult(sql: Queryable, runId: string): Promise<PipelineResult | undefined> {
  const [run] = await sql<{ result: PipelineResult | null }[]>`
    select result from orchestrator.run where id = ${runId}
  `;
  return run?.result ?? undefined;
}

export interface Claim {
  kind: 'approve' | 'refill';
  /** The task id, or the reference of a refill. */
  reference: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  runId: string;
  workflowId: string;
  detailsHash: string;
  medication: string;
  emrPatientId: string;
  /** Replaces the default directions. */
  dosage?: string | undefined;
  requestedBy?: string | undefined;
  /** The run continues with the order of a reroute, which holds the task (D105). */
  isMoved?: boolean | undefined;
  /** The order of an earlier run exists (D114, D105): a refill goes where that run sent it. */
  isSettled?: boolean | undefined;
  /** Recorded if the claim opens a run (D88). */
  access?: AccessEvent | undefined;
}

/**
 * Claims a task or a refill reference and opens its run, in one statement. So only one of a concurrent approval and
 * denial continues (D32). A claim succeeds on a new task, after a failed run or a denial, and for the run that holds
 * the task. It also replaces a running run of the same kind: a workflow id can be open only once, so the other
 * workflow was terminated. A claim fails on a cancelled task, during a cancellation or reroute by another run, and on
 * a refill of a cancelled schedule, but not if its order exists or this run claimed it before. It also fails on a task
 * named as a replacement that the patient pays (D120). The order of a failed run may exist (D114), so the next run holds
 * its submission until the router answers.
 * @param completedSteps steps that are done with the claim
 * @returns `held` when this run holds the task; `isFirstUse` when its reference never had an order; `isOpened` unless
 * the run has claimed it before
 */
export async function claimForRun(
  sql: Queryable,
  claim: Claim,
  completedSteps: readonly PipelineStep[],
): Promise<{ held: boolean; isFirstUse: boolean; isOpened: boolean }> {
  const { kind, reference, taskId, runId, workflowId, detailsHash, medication, emrPatientId } = claim;
  const { dosage = null, requestedBy = null, access, isMoved = false, isSettled = false } = claim;
  const scheduleId = kind === 'refill' && !isSettled ? scheduleIdOf(taskId) : null;
  const client = await clientOf(sql, taskId);
  const [claimed] = await sql<{ isFirstUse: boolean; isOpened: boolean }[]>`
    with claimed as (
      insert into orchestrator.task as task (task_id, client, kind, state, details_hash, run_id)
      select ${reference}, ${client}, ${kind}, 'running', ${detailsHash}, ${runId}
      where not exists (
        select from orchestrator.refill_schedule where id = ${scheduleId}::uuid and status = 'cancelled'
          and not exists (select from orchestrator.task where task_id = ${reference} and run_id = ${runId})
      ) and not exists (
        -- its charge has the id of such a task
        select from orchestrator.replacement where reference = ${reference} and paid_by = 'patient'
      )
      on conflict (task_id) do update set
        kind = excluded.kind, state = 'running', details_hash = excluded.details_hash, run_id = excluded.run_id,
        updated_at = now()
      where (task.state in ('failed', 'denied') or (task.state = 'running' and task.kind = excluded.kind))
        and task.cancelled_at is null and (
          task.changing is null or task.run_id = excluded.run_id or (task.changing = 'reroute' and ${isMoved})
        )
      returning task_id
    ), referenced as (
      insert into orchestrator.order_reference (reference, task_id, n)
      select task_id, task_id, 1 from claimed
      on conflict do nothing
      returning reference
    ), closed as (
      update orchestrator.run set status = 'failed', error = ${terminatedText}, updated_at = now()
      where workflow_id = ${workflowId} and status = 'pending' and id <> ${runId} and exists (select 1 from claimed)
    ), opened as (
      insert into orchestrator.run
        (id, task_id, client, workflow_id, medication, dosage, emr_patient_id, status, completed_steps, requested_by,
          unknown_submission_id)
      select ${runId}, ${taskId}, ${client}, ${workflowId}, ${medication}, ${dosage}::text, ${emrPatientId}, 'pending',
        ${sql.array([...completedSteps])}::text[], ${requestedBy}::text, (
          select last.unknown_submission_id from orchestrator.task
          join orchestrator.run last on last.id = task.run_id
          where task.task_id = ${reference}
        )
      from claimed
      on conflict (id) do nothing
      returning id
    )
    ${access ? sql`, ${noted(sql, access, 'opened')}` : sql``}
    select exists (select from referenced) as is_first_use, exists (select from opened) as is_opened from claimed
  `;
  return { held: claimed !== undefined, isFirstUse: false, isOpened: false, ...claimed };
}

export interface DenialClaim {
  taskId: string;
  runId: string;
  workflowId: string;
  emrPatientId: string | null;
  requestedBy?: string | undefined;
}

/**
 * Claims a task for a denial and records the denial, in one statement. The task stays `running` until the denial
 * ends, so that no approval overtakes it. Fails while the task's order may exist (D114): the patient would get a
 * denial and the medicine.
 * @returns whether this denial holds the task
 */
export async function claimForDenial(sql: Queryable, claim: DenialClaim): Promise<boolean> {
  const { taskId, runId, workflowId, emrPatientId, requestedBy = null } = claim;
  const client = clientOfKey(taskId);
  const rows = await sql`
    with claimed as (
      insert into orchestrator.task as task (task_id, client, kind, state, details_hash, run_id)
      values (${taskId}, ${client}, 'deny', 'running', '', ${runId})
      on conflict (task_id) do update set
        kind = 'deny', state = 'running', details_hash = '', run_id = excluded.run_id, updated_at = now()
      where (task.state = 'failed' or (task.state = 'running' and task.kind = 'deny'))
        and task.cancelled_at is null and task.changing is null
        and not exists (
          select from orchestrator.run where id = task.run_id and unknown_submission_id is not null
        )
      returning task_id
    ), recorded as (
      insert into orchestrator.run
        (id, task_id, client, workflow_id, medication, emr_patient_id, status, requested_by)
      select ${runId}, task_id, ${client}, ${workflowId}, 'N/A', ${emrPatientId ?? ''}, 'denied', ${requestedBy}::text from claimed
      on conflict (id) do nothing
    )
    select task_id from claimed
  `;
  return rows.length > 0;
}

/** Ends a denial, so that a later approval can claim the task (D32), and closes the work item of a failed run. */
export const finishDenial = (sql: Sql, runId: string): Promise<void> =>
  sql.begin(async (sql) => {
    const [denied] = await sql<Pick<Task, 'taskId'>[]>`
      update orchestrator.task set state = 'denied', updated_at = now()
      where run_id = ${runId} and kind = 'deny'
      returning task_id
    `;
    if (!denied) return;
    await closeFailedApproval(sql, denied.taskId);
    const fact = `approval.denied ${runId}`;
    await recordEvent(sql, { type: 'approval.denied', taskId: denied.taskId, fact, data: { runId } });
  });

export interface FailedApproval {
  reference: string;
  runId: string;
  /** The task id under which the run is recorded. */
  taskId: string;
  workflowId: string;
  reason: string;
  /** Step 4 failed, so another pharmacy may fill the order. */
  canReroute: boolean;
  /** False for a completed approval, which would repeat its answer (D32). */
  canApproveAgain?: boolean;
  submissionId?: string;
}

/**
 * Opens a work item for an approval that failed, or gives the open one another reason (D137). A caller that owns its
 * failures gets none. A refill has a kind of its own (D116). Call it in the transaction that records the failure.
 */
export async function reportFailedApproval(sql: Queryable, failed: FailedApproval): Promise<void> {
  const { reference, runId, taskId, workflowId, reason, submissionId } = failed;
  const { canReroute, canApproveAgain = true } = failed;
  if (refillOf(reference)) return reportFailedRefill(sql, { reference, reason, workflowId });
  if (await isOwnedByCaller(sql, runId)) return;
  await openWorkItem(sql, 'orchestrator', {
    ...failedApproval(reference),
    reason,
    references: { taskId, reference, ...(submissionId === undefined ? {} : { submissionId }) },
    workflowId,
    answers: workItemKinds.approval_failed.answers.filter(
      (answer) => (canReroute || answer !== 'reroute') && (canApproveAgain || answer !== 'approve_again'),
    ),
    replacesReason: true,
  });
}

async function isOwnedByCaller(sql: Queryable, runId: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.run join access.api_key key on key.id = run.requested_by
    where run.id = ${runId} and key.owns_failures
  `;
  return rows.length > 0;
}

/** Closes the work item of a failed approval or refill. */
export async function closeFailedApproval(sql: Queryable, reference: string): Promise<void> {
  const refill = refillOf(reference);
  if (refill) await closeFailedRefill(sql, refill.scheduleId, reference);
  else await closeWorkItem(sql, 'orchestrator', failedApproval(reference));
}

const failedApproval = (reference: string) => ({ kind: 'approval_failed', fact: reference }) as const;

/**
 * Closes a run and its task. A recorded success stays, because later changes such as a cancellation rely on it; a
 * recorded failure is replaced.
 * @param unknownSubmissionId the submission whose order may exist; null once the pharmacy has rejected it. Without
 * either, a failed run keeps the one of the run before it.
 * @returns the reference of the order; undefined when the run was completed before or never opened
 */
export async function finishRun(
  sql: Queryable,
  runId: string,
  result: PipelineResult,
  unknownSubmissionId?: string | null,
): Promise<{ orderReference: string | null } | undefined> {
  const status = result.success ? 'completed' : 'failed';
  const isKnown = result.success || unknownSubmissionId !== undefined;
  return first(sql<{ orderReference: string | null }[]>`
    with finished as (
      update orchestrator.run set
        status = ${status}, completed_steps = ${sql.array([...result.completedSteps])},
        failed_step = ${result.failedStep ?? null}, error = ${result.error ?? null},
        warnings = ${sql.array([...result.warnings])}, result = ${sql.json({ ...result })},
        unknown_submission_id = ${isKnown ? (unknownSubmissionId ?? null) : sql`unknown_submission_id`},
        updated_at = now()
      where id = ${runId} and status <> 'completed'
      returning id
    ), closed as (
      update orchestrator.task set state = ${status}, updated_at = now()
      where run_id in (select id from finished)
    )
    ${
      unknownSubmissionId === null
        ? sql`, rejected as (
            update orchestrator.run earlier set unknown_submission_id = null
            from orchestrator.run own
            where own.id = ${runId} and earlier.unknown_submission_id = own.unknown_submission_id
              and earlier.id <> own.id
          )`
        : sql``
    }
    select (
      select ref.reference from orchestrator.order_reference ref
      join orchestrator.task on task.task_id = ref.task_id
      where task.run_id = finished.id and ref.state = 'live'
    ) as order_reference
    from finished
  `);
}

/** Checks for a cancellation of the run's task. Locks the task until the transaction ends. */
export async function isTakenBack(sql: Queryable, runId: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.task
    where run_id = ${runId} and (changing = 'cancellation' or cancelled_at is not null)
    for update
  `;
  return rows.length > 0;
}

/** True if a task, or a replacement that the patient pays, was cancelled. */
export async function isCancelled(sql: Queryable, taskId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from orchestrator.task where task_id = ${taskId} and cancelled_at is not null
    union all
    select 1 from orchestrator.replacement
    where reference = ${taskId} and state = 'cancelled' and paid_by = 'patient'
  `;
  return rows.length > 0;
}
