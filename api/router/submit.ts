import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { dropPayload, findSubmissionState, keepPayload } from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import {
  type AcceptedAnswer,
  acceptedAnswer,
  differentPayloadText,
  type FailedAnswer,
  judgeRepeat,
  orderOutcomeHeader,
  type PrescriptionSubmission,
  terminatedText,
  unknownOutcomeText,
} from '../../domain/router/submission.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import type { Outcome } from '../../starts/begin.js';
import * as starts from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { allowedEvent } from '../plugins/access.js';
import { Refused, unavailable } from '../refusals.js';

type Router = Pick<ServiceContext, 'sql' | 'temporal'>;
type Claim = starts.SubmissionRequest;

/** Three times the pharmacy's whole budget (D23): what takes longer is an outage of our own. */
const answerWithinMs = 60_000;
const replayedHeader = { 'idempotent-replayed': 'true' };

export interface Answer {
  answer: AcceptedAnswer;
  headers: Record<string, string>;
}

/**
 * Submits a prescription: starts its run, joins the one under way, or gives the recorded answer (D21).
 * @param request whose key it is, and the body as received, which is what is kept
 * @throws Refused 409 for a reference in use, 422 without a route, 502 when the pharmacy gave no order, 503 when an
 * outage of our own keeps the answer away (the run goes on, and the same request finds it)
 */
export async function submit(
  router: Router,
  request: FastifyRequest,
  submission: PrescriptionSubmission,
): Promise<Answer> {
  const body = request.rawBody.toString();
  const claim = claimOf(request.apiKey.id, submission, jsonHash(JSON.parse(body)));
  request.accessed.records = [claim.submissionId];
  const recorded = await recordedAnswer(router, claim);
  if (recorded) return { answer: recorded, headers: replayedHeader };

  await keepPayload(router.sql, claim, body, allowedEvent(request, claim.submissionId));
  request.accessed.isNoted = true;
  const outcome = await starts.submit(router.temporal, claim, answerWithinMs);
  // A run that was there already has its own.
  if (outcome.state === 'conflict' || ('joined' in outcome && outcome.joined))
    await dropPayload(router.sql, claim.claimId);
  return answerOf(router, claim, outcome);
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
      throw new Refused(422, message, { headers });
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

/** What the row settles without asking Temporal; the run's own claim is what decides. @throws Refused 409 */
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

/** The answer to a run that was ended from outside, which a sweep will record so. */
async function terminated(
  { sql }: Router,
  { submissionId }: Claim,
  headers: Record<string, string>,
): Promise<Refused> {
  const claimed = await findSubmissionState(sql, submissionId);
  // Before the claim nothing was done: the same request does it.
  if (!claimed) return unavailable(terminatedText, { submissionId });
  const { pharmacy } = claimed;
  return notOrdered(
    { submissionId, pharmacy, status: 'failed', pharmacyOrderId: null, error: terminatedText },
    { ...headers, ...outcomeHeader('unknown') },
  );
}

/** The 502 answer. */
const notOrdered = ({ error, ...fields }: FailedAnswer, headers: Record<string, string>) =>
  new Refused(502, error, { fields, headers });

/** By which our own services know the pharmacy's word from a fault of ours, and whether the order may exist (D114). */
const outcomeHeader = (outcome: 'rejected' | 'unknown') => ({ [orderOutcomeHeader]: outcome });

function conflict(text: string, { submissionId }: Claim): Refused {
  const headers = text === unknownOutcomeText ? outcomeHeader('unknown') : {};
  return new Refused(409, text, { fields: { submissionId }, headers });
}
