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
  /** The answer was recorded by an earlier run. */
  replayed: boolean;
}

const records = ownRecords<SubmissionActivities>();

/** As it is asked for; a run that takes over waits first as long as the pharmacy asked (D113). */
export interface SubmissionRequest extends ClaimRequest {
  pauseMs?: number;
}

// Three calls of at most 5.5 s, 0.3 and 0.6 s apart, or as the pharmacy asks up to 0.9 s: within 20 s in all (D23).
const pharmacies = (calls: number) =>
  ordinary<PharmacyActivities>({
    startToCloseTimeout: '6 s',
    retry: { initialInterval: '300 ms', maximumAttempts: calls },
  });

/**
 * One submission of a prescription to a pharmacy, run once however often it is asked for (D21).
 * @throws NoRoute or DuplicateConflict, with nothing changed; Rejected or Unavailable with the recorded answer
 * (`FailedAnswer`) in the details, so that the run is red
 */
export async function submitPrescription(request: SubmissionRequest): Promise<Submitted> {
  // It is over within seconds; broken off half-way it would leave an order that nobody knows of.
  return CancellationScope.nonCancellable(() => submit(request));
}

async function submit(request: SubmissionRequest): Promise<Submitted> {
  const claimed = await records('1/3 Claim the order reference').claimSubmission(request);
  if ('recorded' in claimed) return { answer: claimed.recorded, replayed: true };

  const { submissionId, claimId, takesOver, pauseMs = 0 } = request;
  const { pharmacy } = claimed;
  if ('ended' in claimed) throw failed(submissionId, pharmacy, claimed.ended);
  if (pauseMs > 0) await sleep(pauseMs);
  setCurrentDetails(`Waiting for **${pharmacy}** to take the order, try ${claimed.try}.`);
  const held = { submissionId, claimId };
  // The request of a durable caller has made the first of the three calls (D113).
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

/** The pharmacy's answer, or that there was none after so many calls. A fault of our own uses up none of them. */
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
    // Neither yes, no nor silence of the pharmacy, but a fault of our own, as a database that is away: it uses up
    // none of the pharmacy's budget, and the step is scheduled anew (D34).
    setCurrentDetails(
      `**A fault of our own keeps the order from ${pharmacy}.**\nIt is tried again by itself; the last failed activity has the reason.`,
    );
    const pauseMs = Math.min(2 ** outages, 30) * 1_000;
    retries.failed({ step: 'placePharmacyOrder', pauseMs });
    await sleep(pauseMs);
  }
}

/** What a failed call says of the order; undefined for a fault of our own. @throws what ends the run */
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

/** What an operator filters by; once, at the end, where it travels with the run's completion. */
function setOutcome(outcome: RunOutcome, pharmacy: Pharmacy): void {
  upsertSearchAttributes([
    { key: rxOutcome, value: outcome },
    { key: rxPharmacy, value: pharmacy },
  ]);
}

/** Makes the run red, readable for an operator and, in the details, for the caller who waits. */
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
      : `**FAILED: ${pharmacy} gave no clear answer.**\nThe order may exist there. The client may submit the same again, which goes out under the same key.`,
  );
  return ApplicationFailure.create({
    type: isRejected ? failureTypes.rejected : failureTypes.unavailable,
    message: `${pharmacy} ${isRejected ? 'rejected the order' : 'gave no clear answer'}`,
    nonRetryable: true,
    details: [failedAnswer(submissionId, pharmacy, error)],
  });
}
