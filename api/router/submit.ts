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
import { noRouteText } from '../../domain/router/pharmacy-routing.js';
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
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import type { Outcome } from '../../starts/runs.js';
import * as starts from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { allowedEvent } from '../plugins/access.js';
import { HttpError, unavailable } from '../http-errors.js';
import { type Tried, tryFirst } from './first-try.js';

export type Router = Pick<ServiceContext, 'sql' | 'temporal' | 'logger'> & { pharmacies: Pharmacies };
type Claim = starts.SubmissionRequest;

/** Three times the pharmacy's whole budget (D23): what takes longer is an outage of our own. */
const answerWithinMs = 60_000;
const replayedHeader = { 'idempotent-replayed': 'true' };

export interface Answer {
  answer: AcceptedAnswer;
  headers: Record<string, string>;
}

/** What the durable callers of this process are having done, by submission: the same request waits for the same end. */
const underWay = new Map<string, { payloadHash: string; end: Promise<Answer> }>();

/**
 * Submits a prescription: starts its run, joins the one under way, or gives the recorded answer (D21). For a durable
 * caller the run is started when one try has not settled it (D113).
 * @param request whose key it is, and the body as received, which is what is kept
 * @throws Refused 409 for a reference in use, 422 without a route, 502 when the pharmacy gave no order, 503 when an
 * outage of our own keeps the answer away (the run goes on, and the same request finds it)
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
    return recorded(first, claim) ?? submitByRun(router, request, claim);
  }
  const other = underWay.get(submissionId);
  if (other) return joined(other, claim);
  const end = submitHere(router, request, claim).finally(() => underWay.delete(submissionId));
  underWay.set(submissionId, { payloadHash, end });
  return end;
}

/** The answer of the same request that is under way in this process. */
async function joined(other: { payloadHash: string; end: Promise<Answer> }, claim: Claim): Promise<Answer> {
  if (other.payloadHash !== claim.payloadHash) throw conflict(differentPayloadText, claim);
  try {
    const { answer, headers } = await other.end;
    return { answer, headers: { ...headers, ...replayedHeader } };
  } catch (error) {
    if (!(error instanceof HttpError) || error.statusCode !== 502) throw error;
    const { message, beside } = error;
    throw new HttpError(502, message, { ...beside, headers: { ...beside.headers, ...replayedHeader } });
  }
}

/** Makes the first try here, and has a run take over what that does not settle. */
async function submitHere(router: Router, request: FastifyRequest, claim: Claim): Promise<Answer> {
  const { sql } = router;
  const { submissionId, claimId } = claim;
  const first = await findSubmissionState(sql, submissionId);
  const known = recorded(first, claim);
  if (known) return known;
  if (first?.outcome === null) {
    if (!first.withoutRun) return submitByRun(router, request, claim);
    // Of a process that is gone, or of another one, which then gives the answer of this run.
    if (first.payloadHash !== claim.payloadHash) throw conflict(unknownOutcomeText, claim);
    return submitByRun(router, request, { ...claim, takesOver: first.claimId });
  }

  await keep(router, request, claim);
  const tried = await tryFirst(router, claim);
  switch (tried.state) {
    case 'settled':
      return answerOfResult(claim, tried.tried);
    case 'recorded':
      return { answer: tried.answer, headers: replayedHeader };
    case 'refused':
      await dropPayload(sql, claimId);
      throw refusalOf(tried.refused, claim);
    case 'open': {
      const { pauseMs } = tried;
      return answerOf(router, claim, await begin(router, { ...claim, takesOver: claimId, pauseMs }));
    }
    case 'lost': {
      await dropPayload(sql, claimId);
      const held = await findSubmissionState(sql, submissionId);
      const next = { ...claim, claimId: randomUUID(), ...(held && { takesOver: held.claimId }) };
      return submitByRun(router, request, next);
    }
  }
}

async function submitByRun(router: Router, request: FastifyRequest, claim: Claim): Promise<Answer> {
  await keep(router, request, claim);
  return answerOf(router, claim, await begin(router, claim));
}

/** Keeps the body for the claim, and notes who sent it, unless that is noted. */
async function keep({ sql }: Router, request: FastifyRequest, claim: Claim): Promise<void> {
  const { accessed } = request;
  const event = accessed.isNoted ? undefined : allowedEvent(request, claim.submissionId);
  await keepPayload(sql, claim, request.rawBody.toString(), event);
  accessed.isNoted = true;
}

async function begin({ sql, temporal }: Router, claim: Claim): Promise<Outcome<starts.Submitted>> {
  const outcome = await starts.submit(temporal, claim, answerWithinMs);
  // A run that was there already has its own.
  if (outcome.state === 'conflict' || ('joined' in outcome && outcome.joined))
    await dropPayload(sql, claim.claimId);
  return outcome;
}

async function answerOf(router: Router, claim: Claim, outcome: Outcome<starts.Submitted>): Promise<Answer> {
  const { submissionId } = claim;
  const headers = 'joined' in outcome && outcome.joined ? replayedHeader : {};
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
      throw new HttpError(422, message, { headers });
    case failureTypes.duplicateConflict:
      throw conflict(message, claim);
    case failureTypes.rejected:
      throw notOrdered(details[0] as FailedAnswer, { ...headers, ...outcomeHeader('rejected') });
    case failureTypes.unavailable:
      throw notOrdered(details[0] as FailedAnswer, { ...headers, ...outcomeHeader('unknown') });
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

/** The answer to a first try that has settled it: what its run would give. @throws Refused 502 without an order */
function answerOfResult({ submissionId }: Claim, { pharmacy, result }: Tried): Answer {
  if (result.outcome === 'accepted') {
    const { pharmacyOrderId } = result;
    return { answer: acceptedAnswer({ id: submissionId, pharmacy, pharmacyOrderId }), headers: {} };
  }
  const { outcome, error } = result;
  const order = outcome === 'rejected' ? 'rejected' : 'unknown';
  throw notOrdered(failedAnswer(submissionId, pharmacy, error), outcomeHeader(order));
}

function refusalOf(refused: ClaimRefusal, claim: Claim): HttpError {
  switch (refused) {
    case 'noRoute':
      return new HttpError(422, noRouteText(claim.patientState));
    case 'differentPayload':
      return conflict(differentPayloadText, claim);
    case 'unknownOutcome':
      return conflict(unknownOutcomeText, claim);
  }
}

/** What the row settles without asking Temporal; the claim is what decides. @throws Refused 409 */
function recorded(first: SubmissionState | undefined, claim: Claim): Answer | undefined {
  // In flight or left behind: only Temporal knows which.
  if (first?.outcome == null) return undefined;
  switch (judgeRepeat(first, claim.payloadHash)) {
    case 'replay':
      return { answer: acceptedAnswer(first), headers: replayedHeader };
    case 'differentPayload':
      throw conflict(differentPayloadText, claim);
    case 'unknownOutcome':
      throw conflict(unknownOutcomeText, claim);
    case 'sameTry':
    case 'nextTry':
      return undefined;
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
  if (!claimed) return unavailable(terminatedText, { submissionId });
  const answer = failedAnswer(submissionId, claimed.pharmacy, terminatedText);
  return notOrdered(answer, { ...headers, ...outcomeHeader('unknown') });
}

/** The 502 answer. */
const notOrdered = ({ error, ...fields }: FailedAnswer, headers: Record<string, string>) =>
  new HttpError(502, error, { fields, headers });

/** By which our own services know the pharmacy's word from a fault of ours, and whether the order may exist (D114). */
const outcomeHeader = (outcome: 'rejected' | 'unknown') => ({ [orderOutcomeHeader]: outcome });

function conflict(text: string, { submissionId }: Claim): HttpError {
  const headers = text === unknownOutcomeText ? outcomeHeader('unknown') : {};
  return new HttpError(409, text, { fields: { submissionId }, headers });
}
