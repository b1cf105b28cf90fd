import { ownTaskId } from '../domain/clients.js';
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { PharmacyUpdate } from '../domain/orchestrator/shipments.js';
import type { Sql } from '../db/client.js';
import { findResult, findTask } from '../db/orchestrator/tasks.js';
import { heldBecause } from '../domain/orchestrator/cancellation.js';
import { detailsHashOf, type UnknownOrderRun } from '../db/orchestrator/unknown-orders.js';
import type { PipelineResult, PipelineStep } from '../domain/orchestrator/pipeline.js';
import { refillOf } from '../domain/orchestrator/refills.js';
import { idPart, jsonHash } from '../platform/crypto/ids.js';
import {
  approvalWorkflowId,
  denialWorkflowId,
  refillCheckWorkflowId,
  refillWorkflowId,
  settleShipmentWorkflowId,
  shipmentWorkflowId,
} from '../workflows/ids.js';
import { completedStepsQuery, pharmacyUpdateSignal } from '../workflows/messages.js';
import type { Approval } from '../workflows/orchestrator/approve-prescription.js';
import type { Denial } from '../workflows/orchestrator/deny-prescription.js';
import { taskQueues } from '../workflows/queues.js';
import { rxSubmission, rxTask } from '../workflows/search-attributes.js';
import { startOrJoin, type Outcome, type Run, signalWithStart } from './runs.js';
import * as priorities from './priorities.js';
import { ensureDailySchedule } from './schedules.js';

interface Orchestrator {
  sql: Sql;
  temporal: Client;
}

/**
 * `dosage` replaces the usual directions. A run that this request starts records `access`. Nothing starts before
 * `signatureUse` resolves.
 */
export type ApprovalRequest = Pick<Approval, 'taskId' | 'medication' | 'emrPatientId' | 'access'> & {
  dosage?: string | undefined;
  onStart?: () => void;
  signatureUse?: Promise<void>;
};

/** The outcome of the run, or the reason why the task's row rejects it; `replayed`: an earlier run's result. */
export type ApprovalOutcome =
  | Exclude<Outcome<PipelineResult>, { state: 'completed' | 'conflict' }>
  | { state: 'completed'; result: PipelineResult; replayed: boolean }
  | { state: 'held'; why: string };

const otherDetails: ApprovalOutcome = {
  state: 'held',
  why: 'Task already approved with different details',
};

/**
 * Approves a task: starts its run, joins the open one, or returns the recorded result (D32).
 * @param withinMs a longer run is `timed_out` (D34); 0 does not wait
 */
export async function approve(
  { sql, temporal }: Orchestrator,
  request: ApprovalRequest,
  withinMs: number,
): Promise<ApprovalOutcome> {
  const { taskId, medication, emrPatientId, dosage, access, onStart, signatureUse } = request;
  const details = { medication, emrPatientId, ...(dosage === undefined ? {} : { dosage }) };
  const detailsHash = jsonHash(details);
  const [recorded] = await Promise.all([recordedApproval(sql, taskId, detailsHash), signatureUse]);
  if (recorded) return recorded;

  const outcome = await startOrJoin(
    temporal,
    {
      workflow: 'approvePrescription',
      id: approvalWorkflowId(idPart(taskId)),
      queue: 'orchestrator',
      args: [{ taskId, ...details, detailsHash, ...(access && { access }) }],
      purpose: detailsHash,
      once: true,
      priority: priorities.approvals(access?.actorKind === 'key' ? access.actor : undefined),
      onStart,
      attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
      summary: `Approve ${medication} · task ${ownTaskId(taskId)}`,
      details: `**Task** ${ownTaskId(taskId)}\n\n**Medication** ${medication}`,
    },
    withinMs,
  );
  if (outcome.state === 'conflict') return otherDetails;
  if (outcome.state !== 'completed') return outcome;
  return { state: 'completed', result: outcome.result, replayed: outcome.joined === 'closed' };
}

/**
 * Resumes a failed run from step 5, once its unknown order turns out to exist. The new run has the same id, so that
 * an approval meanwhile joins it (D114).
 * @throws while another run of the task is open, which may still need this one
 */
export async function resumeFailedRun(
  temporal: Client,
  failed: UnknownOrderRun,
  placed: { submissionId: string; pharmacy: string; pharmacyOrderId: string },
): Promise<void> {
  const { reference, taskId, medication, emrPatientId, dosage } = failed;
  const settled = {
    placed,
    patientName: failed.result?.patientName ?? '',
    state: failed.result?.state ?? '',
    ...(failed.requestedBy === null ? {} : { requestedBy: failed.requestedBy }),
  };
  let started = 0;
  const start = {
    once: true as const,
    onStart: () => void (started += 1),
    attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
    summary: `Resume ${medication} · ${ownTaskId(reference)}`,
    details: `**Task** ${ownTaskId(taskId)}\n\nThe order of an earlier run exists: steps 5 to 7 are left.`,
  };
  const order = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }), settled };
  const refill = refillOf(reference);
  if (!refill) {
    const detailsHash = detailsHashOf(failed);
    const id = approvalWorkflowId(idPart(taskId));
    const args: Run<'approvePrescription'>['args'] = [{ taskId, detailsHash, ...order }];
    const run = { ...start, workflow: 'approvePrescription' as const, id, args, purpose: detailsHash };
    // A person may have requested the first run.
    await startOrJoin(
      temporal,
      { ...run, queue: 'orchestrator', priority: priorities.approvals(undefined) },
      0,
    );
  } else {
    const { scheduleId, n } = refill;
    const id = refillWorkflowId(scheduleId, n);
    const args: Run<'processRefill'>['args'] = [
      { scheduleId, n, requestedBy: settled.requestedBy, ...order },
    ];
    const run = { ...start, workflow: 'processRefill' as const, id, args };
    await startOrJoin(temporal, { ...run, queue: 'refills', priority: priorities.refills }, 0);
  }
  if (started === 0) throw new Error('Another run of the order is under way');
}

/** Returns whether the task would reject an approval with these details (D106). Starts nothing. */
export async function isHeld(
  sql: Sql,
  request: Omit<ApprovalRequest, 'access' | 'onStart' | 'signatureUse'>,
): Promise<boolean> {
  const { taskId, medication, emrPatientId, dosage } = request;
  const recorded = await recordedApproval(sql, taskId, jsonHash({ medication, emrPatientId, dosage }));
  return recorded?.state === 'held';
}

/** Answers from the task's row without Temporal. The run's own claim decides everything else. */
async function recordedApproval(
  sql: Sql,
  taskId: string,
  detailsHash: string,
): Promise<ApprovalOutcome | undefined> {
  const task = await findTask(sql, taskId);
  if (task?.kind === 'deny' && task.state === 'running')
    return { state: 'held', why: 'Task is being denied' };
  if (task && task.cancelledAt !== null) return { state: 'held', why: heldBecause(task) ?? '' };
  if (task?.kind !== 'approve' || task.state === 'failed') return undefined;
  if (task.detailsHash !== detailsHash) return otherDetails;
  if (task.state !== 'completed') return undefined;
  const result = await findResult(sql, task.runId);
  return result && { state: 'completed', result, replayed: true };
}

/** Denies a task; a repeat joins the open denial. The claimed row decides whether anything is left to do (D32). */
export const deny = (temporal: Client, denial: Denial, withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'denyPrescription',
      id: denialWorkflowId(idPart(denial.taskId)),
      queue: 'orchestrator',
      args: [denial],
      attributes: [{ key: rxTask, value: ownTaskId(denial.taskId) }],
      summary: `Deny · task ${ownTaskId(denial.taskId)}`,
    },
    withinMs,
  );

/** Retries a failed refill, or joins its open run (D109). */
export const sendRefillAgain = (
  temporal: Client,
  refill: Run<'processRefill'>['args'][0],
  withinMs: number,
) =>
  startOrJoin(
    temporal,
    {
      workflow: 'processRefill',
      id: refillWorkflowId(refill.scheduleId, refill.n),
      queue: 'refills',
      args: [refill],
      once: true,
      priority: priorities.refills,
      summary: `Send refill ${refill.n} of ${refill.scheduleId} again`,
    },
    withinMs,
  );

/** Requests a failed label again (D109), at the pace of a lost response. */
export const makeLabelAgain = (temporal: Client, lost: Run<'settleShipment'>['args'][0], withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'settleShipment',
      id: settleShipmentWorkflowId(lost.shipment.submissionId),
      queue: 'orchestrator',
      args: [lost],
      attributes: [{ key: rxSubmission, value: lost.shipment.submissionId }],
      summary: `Request the label of order ${lost.shipment.submissionId} again`,
    },
    withinMs,
  );

/** Sends every due refill; checks may overlap (D41). */
export const checkRefills = (
  temporal: Client,
  withinMs: number,
  asked: { requestedBy?: string; scheduleIds?: string[] | undefined; client?: string } = {},
) =>
  startOrJoin(
    temporal,
    {
      workflow: 'refillCheck',
      id: refillCheckWorkflowId(randomUUID()),
      queue: 'refills',
      args: [asked],
      summary: 'Refill check, requested over the API',
      priority: priorities.refills,
    },
    withinMs,
  );

/** The Temporal schedule in place of a daily cron job (D42): 06:00 in the business's time zone. */
export const ensureDailyRefillCheck = (temporal: Client, timeZone: string) =>
  ensureDailySchedule(temporal, {
    scheduleId: 'daily-refill-check',
    workflow: 'refillCheck',
    workflowId: 'refill-check',
    taskQueue: taskQueues.refills,
    hour: 6,
    timeZone,
    summary: 'Daily refill check',
    priority: priorities.refills,
  });

/** Signals an order's update to the run that follows its shipment (D39). */
export const followShipment = (temporal: Client, taskId: string, update: PharmacyUpdate) =>
  signalWithStart(
    temporal,
    {
      workflow: 'followShipment',
      id: shipmentWorkflowId(update.submissionId),
      queue: 'orchestrator',
      args: [],
      attributes: [
        { key: rxSubmission, value: update.submissionId },
        { key: rxTask, value: ownTaskId(taskId) },
      ],
      summary: `Follow the shipment of order ${ownTaskId(update.sourceOrderId)}`,
    },
    pharmacyUpdateSignal,
    [update],
  );

const progressWithinMs = 1_000;

/**
 * Queries a run for its completed steps (D33); a terminated run answers too. Undefined if no worker answers in time,
 * so that the caller uses the record.
 */
export const completedSteps = (
  temporal: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<PipelineStep[] | undefined> =>
  temporal
    .withDeadline(Date.now() + progressWithinMs, () =>
      temporal.workflow.getHandle(workflowId, runId).query(completedStepsQuery),
    )
    .catch(() => undefined);
