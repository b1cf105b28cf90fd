import { ApplicationFailure } from '@temporalio/common';
import type { Sql } from '../../db/client.js';
import { beginPharmacyCall, findRecordedResult } from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import type { PharmacyResult } from '../../domain/router/submission.js';
import { pauseOf, placeOrder } from '../../integrations/pharmacies/orders.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { callLimits, permanentFailure } from '../calls.js';

/** Goes with a `Rejected` failure. */
export interface RejectedOrder {
  /** The pharmacy's text. */
  error: string;
  response: string | null;
  /** No order exists under the key for certain. */
  noOrder: boolean;
}

export const createPharmacyActivities = ({ sql, pharmacies }: { sql: Sql; pharmacies: Pharmacies }) => ({
  /**
   * Places the order of a claimed submission with its pharmacy. Safe to retry: every call of an attempt has the same
   * idempotency key and the same order. A recorded result is returned without a call.
   * @throws Rejected, with its details, when the pharmacy rejects the order; Unavailable without a usable response;
   * DuplicateConflict when another request holds the submission
   */
  async placePharmacyOrder(input: { submissionId: string; claimId: string }) {
    const { submissionId } = input;
    const call = await beginPharmacyCall(sql, pharmacies, input);
    const ended = call
      ? {
          pharmacy: call.pharmacy,
          result: await answered(() => placeOrder(pharmacies, { submissionId, call }, callLimits())),
        }
      : await findRecordedResult(sql, input);
    if (!ended)
      throw permanentFailure(failureTypes.duplicateConflict, 'The submission is held by another request');
    const { pharmacy, result } = ended;
    if (result.outcome === 'accepted') {
      const { pharmacyOrderId, response } = result;
      return { pharmacyOrderId, response };
    }
    const { outcome, error, response } = result;
    const refusal: RejectedOrder = { error, response, noOrder: outcome === 'rejected' };
    throw permanentFailure(failureTypes.rejected, `${pharmacy} rejected the order`, refusal);
  },
});

export type PharmacyActivities = ReturnType<typeof createPharmacyActivities>;

async function answered(place: () => Promise<PharmacyResult>): Promise<PharmacyResult> {
  try {
    return await place();
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const nextRetryDelay = pauseOf(error);
    throw ApplicationFailure.create({
      type: failureTypes.unavailable,
      message: error.message,
      ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }),
    });
  }
}
