import { ApplicationFailure } from '@temporalio/common';
import type { Queryable, Sql } from '../../db/client.js';
import { findRoute } from '../../db/router/routes.js';
import {
  dropPayload,
  insertSubmission,
  lockSubmission,
  reopenSubmission,
  settleSubmission,
  type SubmissionClaim,
} from '../../db/router/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import { noRouteText, type Pharmacy } from '../../domain/router/pharmacy-routing.js';
import {
  type AcceptedAnswer,
  acceptedAnswer,
  differentPayloadText,
  judgeRepeat,
  type PharmacyResult,
  unknownOutcomeText,
} from '../../domain/router/submission.js';
import { refuse } from '../failures.js';

export interface ClaimRequest extends SubmissionClaim {
  /** Bypasses the routing table (page 1, Pharmacy resolution rules; D22). */
  preferredPharmacy: Pharmacy | null;
}

/** The submission is this request's to place, or was accepted before. */
export type Claimed = { pharmacy: Pharmacy; try: number } | { recorded: AcceptedAnswer };

export interface SettleRequest {
  submissionId: string;
  claimId: string;
  result: PharmacyResult;
}

export const createSubmissionActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Chooses the pharmacy and takes the order reference, a new one or one left by an earlier submission (D21).
   * @throws NoRoute, with nothing stored; DuplicateConflict when the reference stands for something else
   *
   * Safe to retry: one transaction, and what this request holds already is given to it again.
   */
  async claimSubmission(request: ClaimRequest): Promise<Claimed> {
    try {
      return await sql.begin((sql) => claim(sql, request));
    } catch (error) {
      if (error instanceof ApplicationFailure) await dropPayload(sql, request.claimId);
      throw error;
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

async function claim(sql: Queryable, request: ClaimRequest): Promise<Claimed> {
  const held = await lockSubmission(sql, request.submissionId);
  if (!held) {
    const pharmacy = await chooseRoute(sql, request);
    await insertSubmission(sql, request, pharmacy);
    return { pharmacy, try: 1 };
  }
  if (held.claimId === request.claimId && held.outcome === null)
    return { pharmacy: held.pharmacy, try: held.try };

  const verdict = judgeRepeat(held, request.payloadHash);
  switch (verdict) {
    case 'replay':
      await dropPayload(sql, request.claimId);
      return { recorded: acceptedAnswer(held) };
    case 'differentPayload':
      throw refuse(failureTypes.duplicateConflict, differentPayloadText);
    case 'unknownOutcome':
      throw refuse(failureTypes.duplicateConflict, unknownOutcomeText);
    case 'sameTry':
      // The order may exist with this pharmacy, so it stays, whatever the routing table says by now.
      await reopenSubmission(sql, request, held.pharmacy, verdict);
      return { pharmacy: held.pharmacy, try: held.try };
    case 'nextTry': {
      const pharmacy = await chooseRoute(sql, request);
      await reopenSubmission(sql, request, pharmacy, verdict);
      return { pharmacy, try: held.try + 1 };
    }
  }
}

/** Picks the pharmacy (page 1, Pharmacy resolution rules). @throws NoRoute */
async function chooseRoute(sql: Queryable, request: ClaimRequest): Promise<Pharmacy> {
  const { preferredPharmacy, patientState } = request;
  const pharmacy = preferredPharmacy ?? (await findRoute(sql, patientState));
  if (pharmacy === undefined) throw refuse(failureTypes.noRoute, noRouteText(patientState));
  return pharmacy;
}
