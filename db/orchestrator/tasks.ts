import type { AccessEvent } from '../../domain/access-events.js';
import type { PipelineResult, PipelineStep } from '../../domain/orchestrator/pipeline.js';
import { scheduleIdOf } from '../../domain/orchestrator/refills.js';
import { noted } from '../access/access-events.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

export interface Task {
  /** The task, or for a refill its reference. */
  taskId: string;
  kind: 'approve' | 'deny' | 'refill';
  state: 'running' | 'completed' | 'failed' | 'denied';
  detailsHash: string;
  runId: string;
  /** A run is taking its order back, or moving it: no other claims the task meanwhile (D104, D105). */
  changing: 'cancellation' | 'reroute' | null;
  /** Set for good once it was cancelled. */
  cancelledAt: Date | null;
}

export const findTask = (sql: Queryable, taskId: string): Promise<Task | undefined> =>
  first(sql<Task[]>`
    select task_id, kind, state, details_hash, run_id, changing, cancelled_at
    from orchestrator.task
    where task_id = ${taskId}
  `);

/** Why nobody may claim a task whose order was taken back or is being moved, in the words of a refusal; undefined otherwise. */
export function heldBecause({
  changing,
  cancelledAt,
}: Pick<Task, 'changing' | 'cancelledAt'>): string | undefined {
  if (cancelledAt !== null) return 'Task was cancelled';
  if (changing === null) return undefined;
  return changing === 'cancellation' ? 'Task is being cancelled' : 'Task is being rerouted';
}

/** The recorded result of a run that has ended. */
export async function findResult(sql: Queryable, runId: string): Promise<PipelineResult | undefined> {
  const [run] = await sql<{ result: PipelineResult | null }[]>`
    select result from orchestrator.run where id = ${runId}
  `;
  return run?.result ?? undefined;
}

export interface Claim {
  kind: 'approve' | 'refill';
  /** The task, or the reference of one refill, that is claimed. */
  reference: string;
  /** The task that the run is recorded under. */
  taskId: string;
  runId: string;
  workflowId: string;
  detailsHash: string;
  medication: string;
  emrPatientId: string;
  /** Takes the place of the usual directions. */
  dosage?: string | undefined;
  /** The key of whoever asked. */
  requestedBy?: string | undefined;
  /** Carries on with the order that a reroute has made, which holds the task meanwhile (D105). */
  isMoved?: boolean | undefined;
  /** Noted with a claim that opens a run (D88). */
  access?: AccessEvent | undefined;
}

/**
 * Claims a task for an approval, or a refill's reference, and opens its run, in one statement, so that of an
 * approval and a denial that race only one goes on (D32). A claim succeeds on a new task, after a failed run or a
 * denial, again for the run that holds it, and over one of its kind whose workflow is gone: only one can be open
 * under its workflow id, so another one that is still marked as running was terminated. It never succeeds on a task
 * that was cancelled, whose order is being taken back or moved by another run, or on a refill of a cancelled schedule.
 * @param completedSteps those that are done with the claim
 * @returns whether it is now held by this run, and whether its reference was never used for an order before
 */
export async function claimForRun(
  sql: Queryable,
  claim: Claim,
  completedSteps: readonly PipelineStep[],
): Promise<{ held: boolean; isFirstUse: boolean }> {
  const { kind, reference, taskId, runId, workflowId, detailsHash, medication, emrPatientId } = claim;
  const { dosage = null, requestedBy = null, access, isMoved = false } = claim;
  const scheduleId = kind === 'refill' ? scheduleIdOf(taskId) : null;
  const [claimed] = await sql<{ isFirstUse: boolean }[]>`
    with claimed as (
      insert into orchestrator.task as task (task_id, kind, state, details_hash, run_id)
      select ${reference}, ${kind}, 'running', ${detailsHash}, ${runId}
      where not exists (
        select from orchestrator.refill_schedule where id = ${scheduleId}::uuid and status = 'cancelled'
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
        (id, task_id, workflow_id, medication, dosage, emr_patient_id, status, completed_steps, requested_by)
      select ${runId}, ${taskId}, ${workflowId}, ${medication}, ${dosage}::text, ${emrPatientId}, 'pending',
        ${sql.array([...completedSteps])}::text[], ${requestedBy}::text
      from claimed
      on conflict (id) do nothing
      returning id
    )
    ${access ? sql`, ${noted(sql, access, 'opened')}` : sql``}
    select exists (select from referenced) as is_first_use from claimed
  `;
  return { held: claimed !== undefined, isFirstUse: claimed?.isFirstUse === true };
}

export interface DenialClaim {
  taskId: string;
  runId: string;
  workflowId: string;
  emrPatientId: string | null;
  /** The key of whoever asked. */
  requestedBy?: string | undefined;
}

/**
 * Claims a task for a denial and records the denial, in one statement. The task stays marked as running until the
 * denial has ended, so that an approval does not overtake it. It never succeeds while the task's order may exist and is
 * being looked for (D114): the patient would be told no, and get the medicine.
 * @returns whether the task is now held by this denial
 */
export async function claimForDenial(sql: Queryable, claim: DenialClaim): Promise<boolean> {
  const { taskId, runId, workflowId, emrPatientId, requestedBy = null } = claim;
  const rows = await sql`
    with claimed as (
      insert into orchestrator.task as task (task_id, kind, state, details_hash, run_id)
      values (${taskId}, 'deny', 'running', '', ${runId})
      on conflict (task_id) do update set
        kind = 'deny', state = 'running', details_hash = '', run_id = excluded.run_id, updated_at = now()
      where (task.state = 'failed' or (task.state = 'running' and task.kind = 'deny'))
        and task.cancelled_at is null and task.changing is null
        and not exists (
          select from orchestrator.run where id = task.run_id and unknown_submission_id is not null
        )
      returning task_id
    ), recorded as (
      insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status, requested_by)
      select ${runId}, task_id, ${workflowId}, 'N/A', ${emrPatientId ?? ''}, 'denied', ${requestedBy}::text from claimed
      on conflict (id) do nothing
    )
    select task_id from claimed
  `;
  return rows.length > 0;
}

/** A denial that has ended lets a later approval through (D32); one that had failed before needs nobody any more. */
export const finishDenial = (sql: Sql, runId: string): Promise<void> =>
  sql.begin(async (sql) => {
    const [denied] = await sql<Pick<Task, 'taskId'>[]>`
      update orchestrator.task set state = 'denied', updated_at = now()
      where run_id = ${runId} and kind = 'deny'
      returning task_id
    `;
    if (denied) await closeFailedApproval(sql, denied.taskId);
  });

/** Has a person see to a run that a party kept from its order (D109); in the transaction that closes it. */
export const reportFailedApproval = (
  sql: Queryable,
  failed: { reference: string; taskId: string; workflowId: string; step: string },
): Promise<void> => {
  const { reference, taskId, workflowId, step: reason } = failed;
  return openWorkItem(sql, 'orchestrator', {
    ...failedApproval(reference),
    reason,
    references: { taskId, reference },
    workflowId,
  });
};

/** Closes what {@link reportFailedApproval} has opened: there is an order, or the router finds out whether there is. */
export const closeFailedApproval = (sql: Queryable, reference: string): Promise<boolean> =>
  closeWorkItem(sql, 'orchestrator', failedApproval(reference));

const failedApproval = (reference: string) => ({ kind: 'approval_failed', fact: reference }) as const;

/** A run whose workflow an operator ended from outside says this (D33). */
export const terminatedText = 'Terminated by an operator';

/**
 * Closes a run and its task together. A success on record stays: what came after it, as a cancellation or a payment by
 * link, was done to that. A failure gives way to a later end.
 * @param unknownSubmissionId the submission of which nobody knows whether it became an order
 * @returns whether it was written: false for a run that has completed before, or was never opened
 */
export async function finishRun(
  sql: Queryable,
  runId: string,
  result: PipelineResult,
  unknownSubmissionId: string | null = null,
): Promise<boolean> {
  const status = result.success ? 'completed' : 'failed';
  const [{ count }] = await sql<[{ count: number }]>`
    with finished as (
      update orchestrator.run set
        status = ${status}, completed_steps = ${sql.array([...result.completedSteps])},
        failed_step = ${result.failedStep ?? null}, error = ${result.error ?? null},
        warnings = ${sql.array([...result.warnings])}, result = ${sql.json({ ...result })},
        unknown_submission_id = ${unknownSubmissionId}, updated_at = now()
      where id = ${runId} and status <> 'completed'
      returning id
    ), closed as (
      update orchestrator.task set state = ${status}, updated_at = now()
      where run_id in (select id from finished)
    )
    select count(*)::int as count from finished
  `;
  return count > 0;
}

/** Whether the task that a run holds is being taken back, or was. Held until the transaction ends. */
export async function isTakenBack(sql: Queryable, runId: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.task
    where run_id = ${runId} and (changing = 'cancellation' or cancelled_at is not null)
    for update
  `;
  return rows.length > 0;
}

/** Whether a task was cancelled: nothing is charged for it any more (D104). */
export async function isCancelled(sql: Queryable, taskId: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.task where task_id = ${taskId} and cancelled_at is not null
  `;
  return rows.length > 0;
}
