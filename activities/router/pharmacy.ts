import { ApplicationFailure } from '@temporalio/common';
import type { Sql } from '../../db/client.js';
import { beginPharmacyCall, type PharmacyCall } from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import {
  type CatalogIds,
  pharmacyBCatalogId,
  toPharmacyAOrder,
  toPharmacyBOrder,
} from '../../domain/router/pharmacy-mapping.js';
import { adapterOf } from '../../domain/router/pharmacy-routing.js';
import { type PrescriptionSubmission, provesNoOrder } from '../../domain/router/submission.js';
import type { PharmacyAClient } from '../../integrations/pharmacy-a/client.js';
import type { PharmacyAnswer } from '../../integrations/pharmacy-answer.js';
import type { PharmacyBClient } from '../../integrations/pharmacy-b/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { pharmacyAnswers } from '../../platform/metrics.js';
import { callLimits } from '../call-limits.js';
import { refuse } from '../failures.js';

/** Honoured of what a pharmacy asks for in `Retry-After`: three calls and two pauses stay within 20 s (D23). */
const maxRetryAfterMs = 900;

export interface PharmacyDependencies {
  sql: Sql;
  pharmacyA: PharmacyAClient;
  pharmacyB: PharmacyBClient;
  /** pharmacy_b's catalog ids, where it carries the medication. */
  catalogIds: CatalogIds;
}

export interface PlacedOrder {
  pharmacyOrderId: string;
  /** The pharmacy's answer as it came. */
  response: string;
}

/** Goes with a `Rejected` failure. */
export interface Refusal {
  /** The pharmacy's text. */
  error: string;
  response: string | null;
  /** Whether it is certain that there is no order under the key. */
  noOrder: boolean;
}

export const createPharmacyActivities = (deps: PharmacyDependencies) => ({
  /**
   * Places the order of a claimed submission with its pharmacy.
   * @throws Rejected, with a Refusal, for the pharmacy's no; Unavailable when it gave no answer to go by;
   * DuplicateConflict when another request has taken the submission over
   *
   * Safe to retry: every call of a try carries the same idempotency key and the same order.
   */
  async placePharmacyOrder(input: { submissionId: string; claimId: string }): Promise<PlacedOrder> {
    const call = await beginPharmacyCall(deps.sql, input);
    if (!call) throw refuse(failureTypes.duplicateConflict, 'The submission is held by another request');
    const answer = await ask(deps, input.submissionId, call);
    pharmacyAnswers.inc({ pharmacy: call.pharmacy, answer: answer.accepted ? 'accepted' : 'rejected' });
    if (answer.accepted) return { pharmacyOrderId: answer.pharmacyOrderId, response: answer.response };
    const { error, status, response } = answer;
    throw rejected(call, { error, response, noOrder: provesNoOrder(status, call.calls) });
  },
});

export type PharmacyActivities = ReturnType<typeof createPharmacyActivities>;

async function ask(
  { pharmacyA, pharmacyB, catalogIds }: PharmacyDependencies,
  submissionId: string,
  call: PharmacyCall,
): Promise<PharmacyAnswer> {
  // Checked against the contract when it was accepted.
  const submission = JSON.parse(call.requestPayload) as PrescriptionSubmission;
  const options = { idempotencyKey: `${submissionId}-${call.try}`, test: call.isTest, ...callLimits() };
  try {
    switch (adapterOf(call.pharmacy)) {
      case 'pharmacy_a':
        return await pharmacyA.placeOrder(toPharmacyAOrder(submissionId, submission), options);
      case 'pharmacy_b': {
        const catalogId = pharmacyBCatalogId(submission.medication.name, catalogIds);
        if (catalogId === undefined) {
          const error = 'pharmacy_b has no catalog id for this medication';
          // No call now (D20), which says nothing about earlier ones with this key.
          throw rejected(call, { error, response: null, noOrder: call.calls === 1 });
        }
        return await pharmacyB.placeOrder(toPharmacyBOrder(submissionId, catalogId, submission), options);
      }
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    pharmacyAnswers.inc({ pharmacy: call.pharmacy, answer: 'none' });
    throw unanswered(error);
  }
}

const rejected = (call: PharmacyCall, refusal: Refusal): ApplicationFailure =>
  refuse(failureTypes.rejected, `${call.pharmacy} rejected the order`, refusal);

/** Whatever a pharmacy's client throws leaves open whether the order exists, an unreadable 2xx too: asked again. */
function unanswered({ fault, message }: OutboundError): ApplicationFailure {
  const retryAfterMs = fault.kind === 'status' ? fault.retryAfterMs : undefined;
  return ApplicationFailure.create({
    type: failureTypes.unavailable,
    message,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, maxRetryAfterMs) }),
  });
}
