import type { Sql } from '../../db/client.js';
import { type Claimed, type ClaimRequest, claimSubmission } from '../../db/router/submission-claims.js';
import { dropPayload, settleSubmission } from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import { noRouteText } from '../../domain/pharmacies.js';
import {
  differentPayloadText,
  type PharmacyResult,
  unknownOutcomeText,
} from '../../domain/router/submission.js';
import { permanentFailure } from '../calls.js';

export type { ClaimRequest };

export const createSubmissionActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Chooses the pharmacy and claims the order reference. An earlier submission (D21) or a first attempt (D113) may
   * have left the reference. Safe to retry: it is one transaction, and a request that holds the reference gets it
   * again.
   * @throws NoRoute, with nothing stored; DuplicateConflict when the reference belongs to another request
   */
  async claimSubmission(request: ClaimRequest): Promise<Claimed> {
    const claimed = await claimSubmission(sql, request, 'run');
    if (!('refused' in claimed)) return claimed;
    await dropPayload(sql, request.claimId);
    switch (claimed.refused) {
      case 'noRoute':
        throw permanentFailure(failureTypes.noRoute, noRouteText(request.patientState));
      case 'differentPayload':
        throw permanentFailure(failureTypes.duplicateConflict, differentPayloadText);
      case 'unknownOutcome':
        throw permanentFailure(failureTypes.duplicateConflict, unknownOutcomeText);
    }
  },

  /**
   * Closes the submission and queues its callback (page 1, Callback payloads). Safe to retry: the first attempt
   * closes it and queues the only callback.
   */
  async recordSubmissionResult({
    result,
    ...request
  }: {
    submissionId: string;
    claimId: string;
    result: PharmacyResult;
  }): Promise<void> {
    await settleSubmission(sql, request, result);
  },
});

export type SubmissionActivities = ReturnType<typeof createSubmissionActivities>;
