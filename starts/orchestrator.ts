import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { PharmacyUpdate } from '../domain/orchestrator/shipments.js';
import type { Sql } from '../db/client.js';
import { findResult, findTask } from '../db/orchestrator/tasks.js';
import { heldBecause } from '../domain/orchestrator/cancellation.js';
import type { UnknownOrderRun } from '../db/orchestrator/unknown-orders.js';
import type { PipelineResult, PipelineStep } from '../domain/orchestrator/pipeline.js';
import { refillOf } from '../domain/orchestrator/refills.js';
import { idPart, jsonHash } from '../platform/crypto/ids.js';
import {
  approvalWorkflowId,
  denialWorkflowId,
  giveBackWorkflowId,
  refillCheckWorkflowId,
  refillWorkflowId,
  retryChargeWorkflowId,
  settleShipmentWorkflowId,
  shipmentWorkflowId,
} from '../workflows/ids.js';
import { completedStepsQuery, pharmacyUpdateSignal } from '../workflows/messages.js';
import type { Approval } from '../workflows/orchestrator/approve-prescription.js';
import type { Denial } from '../workflows/orchestrator/deny-prescription.js';
import { taskQueues } from '../workflows/queues.js';
import { rxSubmission, rxTask } from '../workflows/search-attributes.js';
import { startOrJoin, type Outcome, type ResultOf, type Run, signalWithStart } from './runs.js';
import * as priorities from './priorities.js';
import { ensureDailySchedule } from './schedules.js';

interface Orchestrator {
  sql: Sql;
  temporal: Client;
}

/** What is approved; `dosage` takes the place of the usual directions. `access` is noted by a run that is started. */
export type ApprovalRequest = Pick<Approval, 'taskId' | 'medication' | 'emrPatientId' | 'access'> & {
  dosage?: string | undefined;
  onStart?: () => void;
};

/** What became of an approval: as of any run, or the task's row refuses it; `replayed`: the recorded result of an earlier run. */
export type ApprovalOutcome =
  | Exclude<Outcome<PipelineResult>, { state: 'completed' | 'conflict' }>
  | { state: 'completed'; result: PipelineResult; replayed: boolean }
  | { state: 'held'; why: string };

const otherDetails: ApprovalOutcome = {
  state: 'held',
  why: 'Task already approved with different details',
};

/**
 * Approves a task: starts its run, joins the one that is under way, or gives the recorded answer (D32).
 * @param withinMs a run unfinished after this is `late` (D34); 0 waits for nothing
 */
export async function approve(
  { sql, temporal }: Orchestrator,
  request: ApprovalRequest,
  withinMs: number,
): Promise<ApprovalOutcome> {
  const { taskId, medication, emrPatientId, dosage, access, onStart } = request;
  const detailsHash = jsonHash({ medication, emrPatientId, dosage });
  const recorded = await recordedApproval(sql, taskId, detailsHash);
  if (recorded) return recorded;

  const outcome = await startOrJoin(
    temporal,
    {
      workflow: 'approvePrescription',
      id: approvalWorkflowId(idPart(taskId)),
      queue: 'orchestrator',
      args: [
        {
          taskId,
          medication,
          emrPatientId,
          detailsHash,
          ...(dosage === undefined ? {} : { dosage }),
          ...(access && { access }),
        },
      ],
      purpose: detailsHash,
      once: true,
      priority: priorities.approvals(access?.actorKind === 'key' ? access.actor : undefined),
      onStart,
      attributes: [{ key: rxTask, value: taskId }],
      summary: `Approve ${medication} · task ${taskId}`,
      details: `**Task** ${taskId}\n\n**Medication** ${medication}`,
    },
    withinMs,
  );
  if (outcome.state === 'conflict') return otherDetails;
  if (outcome.state !== 'completed') return outcome;
  return { state: 'completed', result: outcome.result, replayed: outcome.joined === 'closed' };
}

/**
 * Carries on from step 5 what failed while nobody knew of its order, in a new run under the same id, so that an approve
 * meanwhile joins it (D114).
 * @throws when another run of the task is under way: it may need this one yet
 */
export async function resumeFailedRun(
  temporal: Client,
  failed: UnknownOrderRun,
  placed: { submissionId: string; pharmacy: string; pharmacyOrderId: string },
): Promise<void> {
  const { reference, taskId, medication, emrPatientId, dosage, detailsHash } = failed;
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
    attributes: [{ key: rxTask, value: taskId }],
    summary: `Carry on ${medication} · ${reference}`,
    details: `**Task** ${taskId}\n\nThe order of an earlier run exists after all: steps 5 to 7 are left.`,
  };
  const order = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }), settled };
  const refill = refillOf(reference);
  if (!refill) {
    const id = approvalWorkflowId(idPart(taskId));
    const args: Run<'approvePrescription'>['args'] = [{ taskId, detailsHash, ...order }];
    const run = { ...start, workflow: 'approvePrescription' as const, id, args, purpose: detailsHash };
    // Who asked for the first run may have been a person.
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

/** Whether an approval of these details would be refused for its task (D106). Starts nothing. */
export async function isHeld(
  sql: Sql,
  request: Omit<ApprovalRequest, 'access' | 'onStart'>,
): Promise<boolean> {
  const { taskId, medication, emrPatientId, dosage } = request;
  const recorded = await recordedApproval(sql, taskId, jsonHash({ medication, emrPatientId, dosage }));
  return recorded?.state === 'held';
}

/** What the task's row already settles, without asking Temporal; the run's own claim is what decides. */
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

/** Denies a task; repeated, it joins the denial under way. The claimed row decides whether there is anything to do (D32). */
export const deny = (
  temporal: Client,
  denial: Denial,
  withinMs: number,
): Promise<Outcome<{ repeated: boolean }>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'denyPrescription',
      id: denialWorkflowId(idPart(denial.taskId)),
      queue: 'orchestrator',
      args: [denial],
      attributes: [{ key: rxTask, value: denial.taskId }],
      summary: `Deny · task ${denial.taskId}`,
    },
    withinMs,
  );

/** Charges again what could not be charged (D85). Two operators at once share one try. @param n of the coming try */
export const chargeAgain = (
  temporal: Client,
  { taskId, n, charge }: { taskId: string; n: number; charge: Run<'retryCharge'>['args'][0] },
  withinMs: number,
): Promise<Outcome<unknown>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'retryCharge',
      id: retryChargeWorkflowId(idPart(charge.taskId), n),
      queue: 'orchestrator',
      args: [charge],
      attributes: [{ key: rxTask, value: taskId }],
      summary: `Charge task ${charge.taskId} again`,
    },
    withinMs,
  );

/** Gives a cancelled task's charge back, after the processor has refused that before (D109). */
export const giveBackAgain = (
  temporal: Client,
  { taskId, reference }: { taskId: string; reference: string },
  withinMs: number,
): Promise<Outcome<void>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'giveBack',
      id: giveBackWorkflowId(idPart(reference)),
      queue: 'orchestrator',
      args: [reference],
      attributes: [{ key: rxTask, value: taskId }],
      summary: `Give the money of ${reference} back again`,
    },
    withinMs,
  );

/** Sends a refill whose run has failed again, or joins who does (D109). */
export const sendRefillAgain = (
  temporal: Client,
  refill: Run<'processRefill'>['args'][0],
  withinMs: number,
): Promise<Outcome<PipelineResult>> =>
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

/** Asks for a label again that could not be made (D109), at the pace of one whose answers were lost. */
export const makeLabelAgain = (
  temporal: Client,
  lost: Run<'settleShipment'>['args'][0],
  withinMs: number,
): Promise<Outcome<ResultOf<'settleShipment'>>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'settleShipment',
      id: settleShipmentWorkflowId(lost.shipment.submissionId),
      queue: 'orchestrator',
      args: [lost],
      attributes: [{ key: rxSubmission, value: lost.shipment.submissionId }],
      summary: `Ask for the label of order ${lost.shipment.submissionId} again`,
    },
    withinMs,
  );

/** Sends every refill that is due; checks may overlap (D41). */
export const checkRefills = (
  temporal: Client,
  withinMs: number,
  requestedBy?: string,
): Promise<Outcome<{ checkId: string }>> =>
  startOrJoin(
    temporal,
    {
      workflow: 'refillCheck',
      id: refillCheckWorkflowId(randomUUID()),
      queue: 'refills',
      args: [{ requestedBy }],
      summary: 'Refill check, asked for over the API',
      priority: priorities.refills,
    },
    withinMs,
  );

/** The Temporal schedule in place of a daily cron job (D42): 06:00 in the business's time zone. */
export const ensureDailyRefillCheck = (temporal: Client, timeZone: string): Promise<void> =>
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

/** Hands an update of an order to the run that follows its shipment (D39). */
export const followShipment = (temporal: Client, taskId: string, update: PharmacyUpdate): Promise<void> =>
  signalWithStart(
    temporal,
    {
      workflow: 'followShipment',
      id: shipmentWorkflowId(update.submissionId),
      queue: 'orchestrator',
      args: [],
      attributes: [
        { key: rxSubmission, value: update.submissionId },
        { key: rxTask, value: taskId },
      ],
      summary: `Follow the shipment of order ${update.sourceOrderId}`,
    },
    pharmacyUpdateSignal,
    [update],
  );

/** How long a run has to say how far it has come. */
const progressWithinMs = 1_000;

/**
 * The steps that a run has done, by the run itself (D33); undefined when no worker answers in time, so that the record
 * has to do. A run that was terminated still answers.
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
