import type { Client } from '@temporalio/client';
import { idPart } from '../platform/crypto/ids.js';
import { catalogMedication } from '../domain/router/catalog.js';
import {
  callbacksWorkflowId,
  cancellationWorkflowId,
  holdWorkflowId,
  settleSubmissionWorkflowId,
  submissionWorkflowId,
} from '../workflows/ids.js';
import { answerHoldUpdate } from '../workflows/messages.js';
import type { Submitted } from '../workflows/router/submit-prescription.js';
import { taskQueues } from '../workflows/queues.js';
import { rxMedication, rxState, rxSubmission } from '../workflows/search-attributes.js';
import { type Answer, updateWithStart, startOrJoin, signalRecheck, type Outcome, type Run } from './runs.js';
import { submissions, sweeps } from './priorities.js';
import { ensureRegularSchedule } from './schedules.js';

export type { Submitted };
export type SubmissionRequest = Run<'submitPrescription'>['args'][0];

/** Submits a prescription to a pharmacy: one run per order reference, for one payload, tried anew only where it failed (D21). */
export function submit(
  temporal: Client,
  claim: SubmissionRequest,
  withinMs: number,
): Promise<Outcome<Submitted>> {
  const { submissionId, patientState, payloadHash, isTest, apiKeyId } = claim;
  const medication = catalogMedication(claim.medicationName) ?? 'other';
  const run: Run<'submitPrescription'> = {
    workflow: 'submitPrescription',
    id: submissionWorkflowId(submissionId),
    queue: 'router',
    args: [claim],
    purpose: payloadHash,
    once: true,
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

/** Asks the pharmacy to cancel what the table says is to be cancelled (D101); requests for one submission share a run. */
export const cancelPrescription = (
  temporal: Client,
  submissionId: string,
  withinMs: number,
): Promise<Outcome<void>> => startOrJoin(temporal, cancelling(submissionId), withinMs);

/** Tells the run that cancels a prescription to look again. */
export const recheckCancellation = (temporal: Client, submissionId: string): Promise<void> =>
  signalRecheck(temporal, cancelling(submissionId));

const cancelling = (submissionId: string): Run<'cancelPrescription'> => ({
  workflow: 'cancelPrescription',
  id: cancellationWorkflowId(submissionId),
  queue: 'router',
  args: [submissionId],
  attributes: [{ key: rxSubmission, value: submissionId }],
  summary: `Cancel submission ${submissionId}`,
  details: 'Asks the pharmacy until it has answered; then, if it never does, a person.',
});

type HoldKey = Run<'followHold'>['args'][0];

/** Has the run of a hold hand the answer of this number, which is in the table, to the pharmacy (D100). */
export const answerHold = (
  temporal: Client,
  hold: HoldKey,
  number: number,
  withinMs: number,
): Promise<Answer<undefined>> =>
  updateWithStart(temporal, following(hold), { update: answerHoldUpdate, args: [number], withinMs });

/** Tells the run that follows a hold to look at the table again. */
export const recheckHold = (temporal: Client, hold: HoldKey): Promise<void> =>
  signalRecheck(temporal, following(hold));

const following = (hold: HoldKey): Run<'followHold'> => ({
  workflow: 'followHold',
  id: holdWorkflowId(hold.submissionId, idPart(hold.holdId)),
  queue: 'router',
  args: [hold],
  attributes: [{ key: rxSubmission, value: hold.submissionId }],
  summary: `Hold of submission ${hold.submissionId}`,
  details: 'From the question of the pharmacy to its release; the answer reaches the pharmacy from here.',
});

/** The one Temporal schedule that looks for orders of which their pharmacies say nothing (D102). */
export const ensureSilenceCheck = (temporal: Client, seconds: number): Promise<void> =>
  ensureRegularSchedule(temporal, {
    scheduleId: 'pharmacy-silence-check',
    workflow: 'checkSilence',
    workflowId: 'pharmacy-silence-check',
    taskQueue: taskQueues.router,
    seconds,
    summary: 'Ask for orders of which their pharmacies say nothing',
    priority: sweeps,
  });

/** Has the check made now, unless one is under way. */
export const checkSilenceNow = (temporal: Client): Promise<void> =>
  temporal.schedule.getHandle('pharmacy-silence-check').trigger();

/** Tells the run that delivers a submission's callbacks to look again. @param delayMs how long one that is started waits */
export const recheckCallbacks = (temporal: Client, submissionId: string, delayMs?: number): Promise<void> =>
  signalRecheck(temporal, {
    delayMs,
    workflow: 'deliverCallbacks',
    id: callbacksWorkflowId(submissionId),
    queue: 'callbacks',
    args: [submissionId],
    attributes: [{ key: rxSubmission, value: submissionId }],
    summary: `Callbacks of submission ${submissionId}`,
    details: 'Delivers them in order, each until it has arrived, for at most 72 h.',
  });

/** Finds out from the pharmacy what became of an order that nobody knows of (D114), or tells that run to look again. */
export const recheckUnknownOrder = (temporal: Client, submissionId: string): Promise<void> =>
  signalRecheck(temporal, {
    workflow: 'settleSubmission',
    id: settleSubmissionWorkflowId(submissionId),
    queue: 'router',
    args: [submissionId],
    attributes: [{ key: rxSubmission, value: submissionId }],
    summary: `Find out whether order ${submissionId} exists`,
    details: "Asks the pharmacy by the order's reference; the first answer decides. Orders nothing.",
  });
