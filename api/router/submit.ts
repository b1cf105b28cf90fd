import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  type Client,
  TerminatedFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  dropPayload,
  findSubmissionState,
  keepPayload,
  type SubmissionClaim,
} from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import { catalogMedication } from '../../domain/router/pharmacy-mapping.js';
import type { Pharmacy } from '../../domain/router/pharmacy-routing.js';
import {
  type AcceptedAnswer,
  acceptedAnswer,
  differentPayloadText,
  type FailedAnswer,
  judgeRepeat,
  type PrescriptionSubmission,
  terminatedText,
  unknownOutcomeText,
} from '../../domain/router/submission.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { submissionWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import { rxMedication, rxState, rxSubmission } from '../../workflows/search-attributes.js';
import type { submitPrescription } from '../../workflows/router/submit-prescription.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-error.js';

type Router = Pick<ServiceContext, 'sql' | 'temporal'>;
type SubmissionHandle = WorkflowHandle<typeof submitPrescription>;
type Claim = SubmissionClaim & { preferredPharmacy: Pharmacy | null };

/** Three times the pharmacy's whole budget (D23): what takes longer is an outage of our own. */
const answerWithinMs = 60_000;
const replayedHeader = { 'idempotent-replayed': 'true' };

export interface Answer {
  answer: AcceptedAnswer;
  headers: Record<string, string>;
}

/**
 * Submits a prescription: starts its run, joins the one under way, or gives the recorded answer (D21).
 * @param raw the body as received, which is what is kept
 * @throws HttpError 409 for a reference in use, 422 without a route, 502 when the pharmacy gave no order, 503 when an
 * outage of our own keeps the answer away (the run goes on, and the same request finds it)
 */
export async function submit(
  router: Router,
  apiKeyId: string,
  submission: PrescriptionSubmission,
  raw: Buffer,
): Promise<Answer> {
  const body = raw.toString();
  const claim = claimOf(apiKeyId, submission, jsonHash(JSON.parse(body)));
  const recorded = await recordedAnswer(router, claim);
  if (recorded) return { answer: recorded, headers: replayedHeader };

  await keepPayload(router.sql, claim, body);
  const started = await start(router.temporal, claim);
  if (started) return resultOf(router, claim, started, {});
  await dropPayload(router.sql, claim.claimId);
  return resultOf(router, claim, await join(router.temporal, claim), replayedHeader);
}

function claimOf(apiKeyId: string, submission: PrescriptionSubmission, payloadHash: string): Claim {
  const { source, sourceOrderId, callbackUrl, medication, routing, shipTo, test } = submission;
  return {
    submissionId: uuidV5('submission', apiKeyId, source, sourceOrderId),
    claimId: randomUUID(),
    apiKeyId,
    source,
    sourceOrderId,
    callbackUrl,
    patientState: (routing?.patientState ?? shipTo.state).toUpperCase(),
    medicationName: medication.name,
    preferredPharmacy: routing?.preferredPharmacy ?? null,
    isTest: test ?? false,
    payloadHash,
  };
}

/** What the row settles without asking Temporal; the run's own claim is what decides. @throws HttpError 409 */
async function recordedAnswer({ sql }: Router, claim: Claim): Promise<AcceptedAnswer | undefined> {
  const first = await findSubmissionState(sql, claim.submissionId);
  // In flight or left behind: only Temporal knows which.
  if (first?.outcome == null) return undefined;
  switch (judgeRepeat(first, claim.payloadHash)) {
    case 'replay':
      return acceptedAnswer(first);
    case 'differentPayload':
      throw conflict(differentPayloadText, claim);
    case 'unknownOutcome':
      throw conflict(unknownOutcomeText, claim);
    case 'sameTry':
    case 'nextTry':
      return undefined;
  }
}

/** @returns undefined when a run of this submission is open, or has ended well in the meantime */
async function start(temporal: Client, claim: Claim): Promise<SubmissionHandle | undefined> {
  const { submissionId, patientState, payloadHash, isTest } = claim;
  const medication = catalogMedication(claim.medicationName) ?? 'other';
  try {
    return await temporal.workflow.start<typeof submitPrescription>('submitPrescription', {
      workflowId: submissionWorkflowId(submissionId),
      taskQueue: taskQueues.router,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      requestEagerStart: true,
      args: [claim],
      memo: { payloadHash },
      typedSearchAttributes: [
        { key: rxSubmission, value: submissionId },
        { key: rxState, value: patientState },
        { key: rxMedication, value: medication },
      ],
      staticSummary: `Submit ${medication} · ${patientState}${isTest ? ' · test' : ''}`,
      staticDetails: `**Submission** ${submissionId}\n\n**Client** ${claim.apiKeyId}`,
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

/** The run there is, for a request that asks for the same. @throws HttpError 409 for another payload */
async function join(temporal: Client, claim: Claim): Promise<SubmissionHandle> {
  const workflowId = submissionWorkflowId(claim.submissionId);
  const { memo, runId } = await temporal.workflow.getHandle(workflowId).describe();
  if (memo?.['payloadHash'] !== claim.payloadHash) throw conflict(differentPayloadText, claim);
  return temporal.workflow.getHandle<typeof submitPrescription>(workflowId, runId);
}

async function resultOf(
  router: Router,
  claim: Claim,
  handle: SubmissionHandle,
  headers: Record<string, string>,
): Promise<Answer> {
  const deadline = Date.now() + answerWithinMs;
  try {
    // A deadline, because the worker's connection ignores an abort signal.
    const { answer, replayed } = await router.temporal.withDeadline(deadline, () => handle.result());
    return { answer, headers: replayed ? replayedHeader : headers };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError) && Date.now() >= deadline)
      throw new HttpError(
        503,
        { error: 'The submission is still under way', submissionId: claim.submissionId },
        { 'retry-after': '10' },
      );
    if (error instanceof WorkflowFailedError && error.cause instanceof TerminatedFailure)
      throw await terminated(router, claim, headers);
    throw refusalOf(error, claim, headers);
  }
}

/** The answer that a failed run stands for; what it cannot tell, as it came. */
function refusalOf(error: unknown, claim: Claim, headers: Record<string, string>): unknown {
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) return error;
  const { type, message, details } = error.cause;
  switch (type) {
    case failureTypes.noRoute:
      return new HttpError(422, { error: message }, headers);
    case failureTypes.duplicateConflict:
      return conflict(message, claim);
    case failureTypes.rejected:
    case failureTypes.unavailable:
      return new HttpError(502, { ...(details?.[0] as FailedAnswer) }, headers);
    default:
      return error;
  }
}

/** The answer to a run that was ended from outside, which a sweep will record so. */
async function terminated(
  { sql }: Router,
  { submissionId }: Claim,
  headers: Record<string, string>,
): Promise<HttpError> {
  const claimed = await findSubmissionState(sql, submissionId);
  // Before the claim nothing was done: the same request does it.
  if (!claimed) return new HttpError(503, { error: terminatedText, submissionId }, { 'retry-after': '10' });
  const { pharmacy } = claimed;
  const answer: FailedAnswer = {
    submissionId,
    pharmacy,
    status: 'failed',
    pharmacyOrderId: null,
    error: terminatedText,
  };
  return new HttpError(502, { ...answer }, headers);
}

const conflict = (error: string, { submissionId }: Claim) => new HttpError(409, { error, submissionId });
