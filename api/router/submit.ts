import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ClaimRefusal } from '../../db/router/submission-claims.js';
import {
  dropPayload,
  findSubmissionState,
  keepPayload,
  type SubmissionState,
} from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import {
  type AcceptedAnswer,
  acceptedAnswer,
  differentPayloadText,
  type FailedAnswer,
  failedAnswer,
  judgeRepeat,
  orderOutcomeHeader,
  type PrescriptionSubmission,
  terminatedText,
  unknownOutcomeText,
} from '../../domain/router/submission.js';
import { noRouteText } from '../../domain/pharmacies.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import * as starts from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { allowedEvent } from '../plugins/access.js';
import { HttpError, unavailable } from '../http-errors.js';
import { type Tried, tryFirst } from './first-try.js';

export type Router = Pick<ServiceContext, 'sql' | 'temporal' | 'logger'> & { pharmacies: Pharmacies };
type Claim = starts.SubmissionRequest;

/** Three times the pharmacy's whole budget (D23). */
const answerWithinMs = 60_000;
const replayedHeader = { 'idempotent-replayed': 'true' };

export interface Answer {
  answer: AcceptedAnswer;
  headers: Record<string, string>;
}

interface OngoingSubmission {
  payloadHash: string;
  answer: Promise<Answer>;
}

/** Submissions of durable callers in this process, by id: a concurrent repeat waits for the same answer. */
const ongoing = new Map<string, OngoingSubmission>();

/**
 * Submits a prescription: starts its workflow, joins a running one, or returns the recorded answer (D21). For a durable
 * caller the workflow starts only if a first try does not complete the submission (D113).
 * @param request its raw body is stored
 * @throws HttpError 409 for a reference in use, 422 without a route, 502 if the pharmacy made no order, 503 if the answer
 * is not known in time (the workflow continues and the same request returns its answer)
 */
export async function submit(
  router: Router,
  request: FastifyRequest,
  submission: PrescriptionSubmission,
): Promise<Answer> {
  const payloadHash = jsonHash(JSON.parse(request.rawBody.toString()));
  const claim = claimOf(request.apiKey.id, submission, payloadHash);
  const { submissionId } = claim;
  request.accessed.records = [submissionId];
  if (!request.apiKey.durable) {
    const first = await findSubmissionState(router.sql, submissionId);
    return recorded(first, claim) ?? submitByWorkflow(router, request, claim);
  }
  const other = ongoing.get(submissionId);
  if (other) return join(other, claim);
  const answer = submitHere(router, request, claim).finally(() => ongoing.delete(submissionId));
  ongoing.set(submissionId, { payloadHash, answer });
  return answer;
}

async function join(other: OngoingSubmission, claim: Claim): Promise<Answer> {
  if (other.payloadHash !== claim.payloadHash) throw conflict(differentPayloadText, claim);
  try {
    const { answer, headers } = await other.answer;
    return { answer, headers: { ...headers, ...replayedHeader } };
  } catch (error) {
    if (!(error instanceof HttpError) || error.statusCode !== 502) throw error;
    const { message, details } = error;
    throw new HttpError(502, message, { ...details, headers: { ...details.headers, ...replayedHeader } });
  }
}

/** Makes the first try in this process. A workflow takes over if the try does not complete the submission. */
async function submitHere(router: Router, request: FastifyRequest, claim: Claim): Promise<Answer> {
  const { sql } = router;
  const { submissionId, claimId } = claim;
  const first = await findSubmissionState(sql, submissionId);
  const known = recorded(first, claim);
  if (known) return known;
  if (first?.outcome === null) {
    if (!first.withoutRun) return submitByWorkflow(router, request, claim);
    // Another process holds the claim and may be gone. If it still runs, it returns the answer of this workflow.
    if (first.payloadHash !== claim.payloadHash) throw conflict(unknownOutcomeText, claim);
    return submitByWorkflow(router, request, { ...claim, takesOver: first.claimId });
  }

  await storePayload(router, request, claim);
  const tried = await tryFirst(router, claim);
  switch (tried.state) {
    case 'completed':
      return answerOfResult(claim, tried.tried);
    case 'recorded':
      return { answer: tried.answer, headers: replayedHeader };
    case 'rejected':
      await dropPayload(sql, claimId);
      throw rejectionError(tried.rejection, claim);
    case 'open': {
      const { pauseMs } = tried;
      return answerOfWorkflow(router, { ...claim, takesOver: claimId, pauseMs });
    }
    case 'lost': {
      await dropPayload(sql, claimId);
      const held = await findSubmissionState(sql, submissionId);
      const next = { ...claim, claimId: randomUUID(), ...(held && { takesOver: held.claimId }) };
      return submitByWorkflow(router, request, next);
    }
  }
}

async function submitByWorkflow(router: Router, request: FastifyRequest, claim: Claim): Promise<Answer> {
  await storePayload(router, request, claim);
  return answerOfWorkflow(router, claim);
}

/** Stores the body for the claim, together with the access event unless that is already recorded. */
async function storePayload({ sql }: Router, request: FastifyRequest, claim: Claim): Promise<void> {
  const { accessed } = request;
  const event = accessed.isNoted ? undefined : allowedEvent(request, claim.submissionId);
  await keepPayload(sql, claim, request.rawBody.toString(), event);
  accessed.isNoted = true;
}

async function answerOfWorkflow(router: Router, claim: Claim): Promise<Answer> {
  const { submissionId } = claim;
  const outcome = await starts.submit(router.temporal, claim, answerWithinMs);
  const joined = 'joined' in outcome && outcome.joined;
  // A workflow that was already running has its own payload.
  if (outcome.state === 'conflict' || joined) await dropPayload(router.sql, claim.claimId);
  const headers = joined ? replayedHeader : {};
  if (outcome.state === 'terminated') throw await terminated(router, claim, headers);
  const end = endOf(outcome, {
    what: 'submission',
    ids: { submissionId },
    conflict: conflict(differentPayloadText, claim),
  });
  if (end.state === 'completed') {
    const { answer, replayed } = end.result;
    return { answer, headers: replayed ? replayedHeader : headers };
  }
  const { type, message, details } = end.failure;
  switch (type) {
    case failureTypes.noRoute:
      throw new HttpError(422, message, { code: 'no_pharmacy_route', headers });
    case failureTypes.duplicateConflict:
      throw conflict(message, claim);
    case failureTypes.rejected:
      throw notOrdered(details[0] as FailedAnswer, 'rejected', headers);
    case failureTypes.unavailable:
      throw notOrdered(details[0] as FailedAnswer, 'unknown', headers);
    default:
      throw runFailed(end.failure);
  }
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

/** The answer to a completed first try, equal to its workflow's. @throws HttpError 502 without an order */
function answerOfResult({ submissionId }: Claim, { pharmacy, result }: Tried): Answer {
  if (result.outcome === 'accepted') {
    const { pharmacyOrderId } = result;
    return { answer: acceptedAnswer({ id: submissionId, pharmacy, pharmacyOrderId }), headers: {} };
  }
  const { outcome, error } = result;
  const order = outcome === 'rejected' ? 'rejected' : 'unknown';
  throw notOrdered(failedAnswer(submissionId, pharmacy, error), order);
}

function rejectionError(rejection: ClaimRefusal, claim: Claim): HttpError {
  switch (rejection) {
    case 'noRoute':
      return new HttpError(422, noRouteText(claim.patientState), { code: 'no_pharmacy_route' });
    case 'differentPayload':
      return conflict(differentPayloadText, claim);
    case 'unknownOutcome':
      return conflict(unknownOutcomeText, claim);
  }
}

/** The answer that the row gives without a call to Temporal. @throws HttpError 409 */
function recorded(first: SubmissionState | undefined, claim: Claim): Answer | undefined {
  // Running or abandoned: only Temporal knows which.
  if (first?.outcome == null) return undefined;
  const verdict = judgeRepeat(first, claim.payloadHash);
  switch (verdict) {
    case 'replay':
      return { answer: acceptedAnswer(first), headers: replayedHeader };
    case 'differentPayload':
    case 'unknownOutcome':
      throw rejectionError(verdict, claim);
    case 'sameTry':
    case 'nextTry':
      return undefined;
  }
}

/** The error for a terminated workflow. A sweep records the same outcome later. */
async function terminated(
  { sql }: Router,
  { submissionId }: Claim,
  headers: Record<string, string>,
): Promise<HttpError> {
  const claimed = await findSubmissionState(sql, submissionId);
  // Nothing happened before the claim, so the same request can start over.
  if (!claimed) return unavailable(terminatedText, { submissionId });
  const answer = failedAnswer(submissionId, claimed.pharmacy, terminatedText);
  return notOrdered(answer, 'unknown', headers);
}

const notOrdered = (
  { error, ...fields }: FailedAnswer,
  order: 'rejected' | 'unknown',
  headers: Record<string, string> = {},
) =>
  new HttpError(502, error, {
    code: `order_${order}`,
    fields,
    headers: { ...headers, ...outcomeHeader(order) },
  });

/** Tells our own services whether the pharmacy rejected the order, and whether the order may exist (D114). */
export const outcomeHeader = (outcome: 'rejected' | 'unknown') => ({ [orderOutcomeHeader]: outcome });

function conflict(text: string, { submissionId }: Claim): HttpError {
  const headers = text === unknownOutcomeText ? outcomeHeader('unknown') : {};
  return new HttpError(409, text, { fields: { submissionId }, headers });
}
