import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { PharmacyActivities, Refusal } from '../activities/router/pharmacy.js';
import type { ClaimRequest, SettleRequest, SubmissionActivities } from '../activities/router/submissions.js';
import { failureTypes } from '../domain/failures.js';
import type { Pharmacy } from '../domain/pharmacy-routing.js';
import { type AcceptedAnswer, acceptedAnswer, type FailedAnswer } from '../domain/submission.js';
import { failureOf, localFirst, ordinary } from './proxies.js';
import { rxOutcome, rxPharmacy } from './search-attributes.js';

type Result = SettleRequest['result'];

export interface Submitted {
  answer: AcceptedAnswer;
  /** The answer was recorded by an earlier run. */
  replayed: boolean;
}

// A claim or a result must not be lost: an outage of our database is waited out.
const records = localFirst<SubmissionActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

// Three calls of at most 5.5 s, 0.3 and 0.6 s apart, or as the pharmacy asks up to 0.9 s: within 20 s in all (D23).
const pharmacies = ordinary<PharmacyActivities>({
  startToCloseTimeout: '6 s',
  retry: { initialInterval: '300 ms', maximumAttempts: 3 },
});

/**
 * One submission of a prescription to a pharmacy, run once however often it is asked for (D21).
 * @throws NoRoute or DuplicateConflict, with nothing changed; Rejected or Unavailable with the recorded answer
 * ({@link FailedAnswer}) in the details, so that the run is red
 */
export async function submitPrescription(request: ClaimRequest): Promise<Submitted> {
  // It is over within seconds; broken off half-way it would leave an order that nobody knows of.
  return CancellationScope.nonCancellable(() => submit(request));
}

async function submit(request: ClaimRequest): Promise<Submitted> {
  const claimed = await records('1/3 Claim the order reference').claimSubmission(request);
  if ('recorded' in claimed) return { answer: claimed.recorded, replayed: true };

  const { submissionId, claimId, sourceOrderId } = request;
  const { pharmacy } = claimed;
  upsertSearchAttributes([{ key: rxPharmacy, value: pharmacy }]);
  setCurrentDetails(`Waiting for **${pharmacy}** to take the order, try ${claimed.try}.`);
  const result = await placeOrder(pharmacy, request);

  await records('3/3 Record the result').recordSubmissionResult({
    submissionId,
    claimId,
    sourceOrderId,
    pharmacy,
    result,
  });
  if (result.outcome !== 'accepted') throw failed(submissionId, pharmacy, result);
  setCurrentDetails(`**Accepted** by ${pharmacy} as order ${result.pharmacyOrderId ?? ''}.`);
  return { answer: acceptedAnswer(submissionId, { ...result, pharmacy }), replayed: false };
}

/** The pharmacy's word, or that there was none. */
async function placeOrder(pharmacy: Pharmacy, { submissionId, claimId }: ClaimRequest): Promise<Result> {
  for (let outages = 0; ; outages += 1) {
    try {
      const { pharmacyOrderId, response } = await pharmacies(
        `2/3 Place the order with ${pharmacy}`,
      ).placePharmacyOrder({ submissionId, claimId });
      return {
        outcome: 'accepted',
        status: 'submitted',
        pharmacyOrderId,
        errorMessage: null,
        responsePayload: response,
      };
    } catch (error) {
      const { type, message } = failureOf(error);
      if (type === failureTypes.unavailable) return withoutOrder('unanswered', message, null);
      const refusal = refusalOf(error);
      if (refusal)
        return withoutOrder(refusal.noOrder ? 'rejected' : 'unanswered', refusal.error, refusal.response);
      if (type === failureTypes.duplicateConflict) throw error;
    }
    // Neither yes, no nor silence of the pharmacy, but a fault of our own, as a database that is away: it uses up
    // none of the pharmacy's budget, and the step is scheduled anew (D34).
    setCurrentDetails(
      `**Our own fault keeps the order from ${pharmacy}.** It is tried again by itself; see the last failed activity.`,
    );
    await sleep(`${Math.min(2 ** outages, 30)} s`);
  }
}

const withoutOrder = (
  outcome: 'rejected' | 'unanswered',
  errorMessage: string,
  responsePayload: string | null,
): Result => ({ outcome, status: 'failed', pharmacyOrderId: null, errorMessage, responsePayload });

function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return undefined;
  const { type, details } = error.cause;
  return type === failureTypes.rejected ? (details?.[0] as Refusal) : undefined;
}

/** Makes the run red, readable for an operator and, in the details, for the caller who waits. */
function failed(submissionId: string, pharmacy: Pharmacy, result: Result): ApplicationFailure {
  const isRejected = result.outcome === 'rejected';
  const answer: FailedAnswer = {
    submissionId,
    pharmacy,
    status: 'failed',
    pharmacyOrderId: null,
    error: result.errorMessage ?? '',
  };
  upsertSearchAttributes([{ key: rxOutcome, value: 'FAILED' }]);
  setCurrentDetails(
    isRejected
      ? `**FAILED: ${pharmacy} rejected the order.**\nNo order exists. The client may submit it again, corrected.`
      : `**FAILED: ${pharmacy} gave no clear answer.**\nThe order may exist there. The client may submit the same again, and it goes out under the same key.`,
  );
  return ApplicationFailure.create({
    type: isRejected ? failureTypes.rejected : failureTypes.unavailable,
    message: `${pharmacy} ${isRejected ? 'rejected the order' : 'gave no clear answer'}`,
    nonRetryable: true,
    details: [answer],
  });
}
