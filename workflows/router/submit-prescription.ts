import {
  ApplicationFailure,
  CancellationScope,
  setCurrentDetails,
  sleep,
  TimeoutFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { PharmacyActivities, RejectedOrder } from '../../activities/router/pharmacy.js';
import type { ClaimRequest, SubmissionActivities } from '../../activities/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { RunOutcome } from '../../domain/search-attributes.js';
import {
  type AcceptedAnswer,
  acceptedAnswer,
  failedAnswer,
  type FailedResult,
  type PharmacyResult,
} from '../../domain/router/submission.js';
import { causeOf, ordinary, ownRecords } from '../proxies.js';
import { rxOutcome, rxPharmacy } from '../search-attributes.js';
import { Retries } from '../stuck.js';

export interface Submitted {
  answer: AcceptedAnswer;
  /** An earlier run recorded the answer. */
  replayed: boolean;
}

const records = ownRecords<SubmissionActivities>();

/** `pauseMs`: the pause that the pharmacy asked the durable caller's first attempt for (D113). */
export interface SubmissionRequest extends ClaimRequest {
  pauseMs?: number;
}

// Three calls of at most 5.5 s, with pauses of at most 0.9 s: within 20 s in all (D23).
const pharmacies = (calls: number) =>
  ordinary<PharmacyActivities>({
    startToCloseTimeout: '6 s',
    retry: { initialInterval: '300 ms', maximumAttempts: calls },
  });

/**
 * Submits a prescription to a pharmacy, exactly once (D21).
 * @throws NoRoute or DuplicateConflict, with nothing changed; Rejected or Unavailable with the recorded
 * `FailedAnswer` in the details
 */
export async function submitPrescription(request: SubmissionRequest): Promise<Submitted> {
  // A cancelled run would leave the outcome of the order unknown.
  return CancellationScope.nonCancellable(() => submit(request));
}

async function submit(request: SubmissionRequest): Promise<Submitted> {
  const claimed = await records('1/3 Claim the order reference').claimSubmission(request);
  if ('recorded' in claimed) return { answer: claimed.recorded, replayed: true };

  const { submissionId, claimId, takesOver, pauseMs = 0 } = request;
  const { pharmacy } = claimed;
  if ('ended' in claimed) throw failed(submissionId, pharmacy, claimed.ended);
  if (pauseMs > 0) await sleep(pauseMs);
  setCurrentDetails(`Waiting for **${pharmacy}** to accept the order, try ${claimed.try}.`);
  const held = { submissionId, claimId };
  // A durable caller's request has made the first of the three calls (D113).
  const result = await placeOrder(pharmacy, held, takesOver === undefined ? 3 : 2);

  await records('3/3 Record the result').recordSubmissionResult({ submissionId, claimId, result });
  if (result.outcome !== 'accepted') throw failed(submissionId, pharmacy, result);
  const { pharmacyOrderId } = result;
  setOutcome('OK', pharmacy);
  setCurrentDetails(`**Accepted** by ${pharmacy} as order ${pharmacyOrderId}.`);
  return { answer: acceptedAnswer({ id: submissionId, pharmacy, pharmacyOrderId }), replayed: false };
}

type Held = Parameters<PharmacyActivities['placePharmacyOrder']>[0];
const titleOf = (pharmacy: Pharmacy): string => `2/3 Place the order with ${pharmacy}`;

/** A fault of our own uses up none of the calls (D34). */
async function placeOrder(pharmacy: Pharmacy, held: Held, calls: number): Promise<PharmacyResult> {
  const retries = new Retries();
  for (let outages = 0; ; outages += 1) {
    try {
      const placed = await pharmacies(calls)(titleOf(pharmacy)).placePharmacyOrder(held);
      retries.succeeded();
      return { outcome: 'accepted', ...placed };
    } catch (error) {
      const result = resultOf(error);
      if (result) {
        retries.succeeded();
        return result;
      }
    }
    setCurrentDetails(
      `**A fault of our own delays the order to ${pharmacy}.**\nA retry follows; the last failed activity has the reason.`,
    );
    await retries.waitOutFault('placePharmacyOrder', outages);
  }
}

/** The result of a failed call; undefined for a fault of our own. @throws an error that ends the run */
function resultOf(error: unknown): PharmacyResult | undefined {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure)
    return { outcome: 'unanswered', error: 'No answer in time', response: null };
  if (!(cause instanceof ApplicationFailure)) throw error;
  switch (cause.type) {
    case failureTypes.rejected: {
      const { noOrder, error, response } = cause.details?.[0] as RejectedOrder;
      return { outcome: noOrder ? 'rejected' : 'unanswered', error, response };
    }
    case failureTypes.unavailable:
      return { outcome: 'unanswered', error: cause.message, response: null };
    case failureTypes.duplicateConflict:
      throw error;
    default:
      return undefined;
  }
}

/** Called at the end only, where the upsert travels with the completion. */
function setOutcome(outcome: RunOutcome, pharmacy: Pharmacy): void {
  upsertSearchAttributes([
    { key: rxOutcome, value: outcome },
    { key: rxPharmacy, value: pharmacy },
  ]);
}

function failed(
  submissionId: string,
  pharmacy: Pharmacy,
  { outcome, error }: FailedResult,
): ApplicationFailure {
  const isRejected = outcome === 'rejected';
  setOutcome('FAILED', pharmacy);
  setCurrentDetails(
    isRejected
      ? `**FAILED: ${pharmacy} rejected the order.**\nNo order exists. The client may submit it again, corrected.`
      : `**FAILED: ${pharmacy} gave no clear answer.**\nThe order may exist there. The client may repeat the request, which uses the same key.`,
  );
  return ApplicationFailure.create({
    type: isRejected ? failureTypes.rejected : failureTypes.unavailable,
    message: `${pharmacy} ${isRejected ? 'rejected the order' : 'gave no clear answer'}`,
    nonRetryable: true,
    details: [failedAnswer(submissionId, pharmacy, error)],
  });
}
