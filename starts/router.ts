import type { Client } from '@temporalio/client';
import { idPart } from '../platform/crypto/ids.js';
import { catalogMedication } from '../domain/router/articles.js';
import {
  callbacksWorkflowId,
  cancellationWorkflowId,
  holdWorkflowId,
  settleSubmissionWorkflowId,
  submissionWorkflowId,
} from '../workflows/ids.js';
import { answerHoldUpdate } from '../workflows/messages.js';
import { taskQueues } from '../workflows/queues.js';
import { rxMedication, rxState, rxSubmission } from '../workflows/search-attributes.js';
import { updateWithStart, startOrJoin, signalRecheck, type Run } from './runs.js';
import { submissions, sweeps } from './priorities.js';
import { ensureRegularSchedule } from './schedules.js';

export type SubmissionRequest = Run<'submitPrescription'>['args'][0];

/**
 * Submits a prescription to a pharmacy: one open run per order reference and payload. The submission's row decides
 * whether a later run places an order (D21).
 */
export function submit(temporal: Client, claim: SubmissionRequest, withinMs: number) {
  const { submissionId, patientState, payloadHash, isTest, apiKeyId } = claim;
  const medication = catalogMedication(claim.medicationName);
  const run: Run<'submitPrescription'> = {
    workflow: 'submitPrescription',
    id: submissionWorkflowId(submissionId),
    queue: 'router',
    args: [claim],
    purpose: payloadHash,
    priority: submissions(apiKeyId),
    attributes: [
      { key: rxSubmission, value: submissionId },
      { key: rxState, value: patientState },
      { key: rxMedication, value: medication },
    ],
    summary: `Submit ${medication} · ${patientState}${isTest ? ' · test' : ''}`,
    details: `**Submission** ${submissionId}\n\n**Client** ${apiKeyId}`,
  };
  return startOrJoin(temporal, run, withinMs);
}

/** Asks the pharmacy for the recorded cancellation (D101); requests for one submission share a run. */
export const cancelPrescription = (temporal: Client, submissionId: string, withinMs: number) =>
  startOrJoin(temporal, cancelling(submissionId), withinMs);

/** Signals the run that cancels a prescription to check its row. */
export const recheckCancellation = (temporal: Client, submissionId: string) =>
  signalRecheck(temporal, cancelling(submissionId));

const cancelling = (submissionId: string): Run<'cancelPrescription'> => ({
  workflow: 'cancelPrescription',
  id: cancellationWorkflowId(submissionId),
  queue: 'router',
  args: [submissionId],
  attributes: [{ key: rxSubmission, value: submissionId }],
  summary: `Cancel submission ${submissionId}`,
  details: 'Asks the pharmacy until it answers; opens a work item if it does not.',
});

type HoldKey = Run<'followHold'>['args'][0];

/** Makes the run of a hold send the recorded answer of this number to the pharmacy (D100). */
export const answerHold = (temporal: Client, hold: HoldKey, number: number, withinMs: number) =>
  updateWithStart(temporal, following(hold), { update: answerHoldUpdate, args: [number], withinMs });

/** Signals the run that follows a hold to check its row. */
export const recheckHold = (temporal: Client, hold: HoldKey) => signalRecheck(temporal, following(hold));

const following = (hold: HoldKey): Run<'followHold'> => ({
  workflow: 'followHold',
  id: holdWorkflowId(hold.submissionId, idPart(hold.holdId)),
  queue: 'router',
  args: [hold],
  attributes: [{ key: rxSubmission, value: hold.submissionId }],
  summary: `Hold of submission ${hold.submissionId}`,
  details: 'From the question of the pharmacy to its release; sends the answer to the pharmacy.',
});

/** The Temporal schedule that asks pharmacies for silent orders (D102). */
export const ensureSilenceCheck = (temporal: Client, seconds: number) =>
  ensureRegularSchedule(temporal, {
    scheduleId: 'pharmacy-silence-check',
    workflow: 'checkSilence',
    workflowId: 'pharmacy-silence-check',
    taskQueue: taskQueues.router,
    seconds,
    summary: 'Ask pharmacies for silent orders',
    priority: sweeps,
  });

/** Runs the check now, unless one is open. */
export const checkSilenceNow = (temporal: Client): Promise<void> =>
  temporal.schedule.getHandle('pharmacy-silence-check').trigger();

/** Signals the run that delivers a submission's callbacks. @param delayMs how long a new run waits */
export const recheckCallbacks = (temporal: Client, submissionId: string, delayMs?: number) =>
  signalRecheck(temporal, {
    delayMs,
    workflow: 'deliverCallbacks',
    id: callbacksWorkflowId(submissionId),
    queue: 'callbacks',
    args: [submissionId],
    attributes: [{ key: rxSubmission, value: submissionId }],
    summary: `Callbacks of submission ${submissionId}`,
    details: 'Delivers them in order and retries each for at most 72 h.',
  });

/** Signals the run that reconciles an order whose existence is unknown (D114), and starts it if there is none. */
export const recheckUnknownOrder = (temporal: Client, submissionId: string) =>
  signalRecheck(temporal, looking(submissionId));

/** Waits for the run that looks for an order by its reference (D138), and starts it if there is none. */
export const lookForOrder = (temporal: Client, submissionId: string, withinMs: number) =>
  startOrJoin(temporal, looking(submissionId), withinMs);

const looking = (submissionId: string): Run<'settleSubmission'> => ({
  workflow: 'settleSubmission',
  id: settleSubmissionWorkflowId(submissionId),
  queue: 'router',
  args: [submissionId],
  attributes: [{ key: rxSubmission, value: submissionId }],
  summary: `Reconcile order ${submissionId}`,
  details: "Asks the pharmacy by the order's reference; the first answer decides. Orders nothing.",
});
