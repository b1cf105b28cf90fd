import type { Sql } from '../../db/client.js';
import { type Claimed, type ClaimRequest, claimSubmission } from '../../db/router/submission-claims.js';
import { dropPayload, settleSubmission } from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import { noRouteText } from '../../domain/router/pharmacy-routing.js';
import {
  differentPayloadText,
  type PharmacyResult,
  unknownOutcomeText,
} from '../../domain/router/submission.js';
import { permanentFailure } from '../failures.js';

export type { ClaimRequest };

export interface SettleRequest {
  submissionId: string;
  claimId: string;
  result: PharmacyResult;
}

export const createSubmissionActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Chooses the pharmacy and takes the order reference, a new one or one left by an earlier submission (D21), or by a
   * first try that did not settle it (D113).
   * @throws NoRoute, with nothing stored; DuplicateConflict when the reference stands for something else
   *
   * Safe to retry: one transaction, and what this request holds already is given to it again.
   */
  async claimSubmission(request: ClaimRequest): Promise<Claimed> {
    const claimed = await sql.begin((sql) => claimSubmission(sql, request, 'run'));
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
   * Settles the submission and queues the callback that tells its client (page 1, Callback payloads).
   *
   * Safe to retry: the first time settles it, and with it the one callback is queued.
   */
  async recordSubmissionResult({ result, ...request }: SettleRequest): Promise<void> {
    await settleSubmission(sql, request, result);
  },
});

export type SubmissionActivities = ReturnType<typeof createSubmissionActivities>;
