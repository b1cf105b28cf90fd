import { violatedConstraint } from '../../db/constraints.js';
import {
  type ClaimRefusal,
  type ClaimRequest,
  claimSubmission,
  type Claimed,
} from '../../db/router/submission-claims.js';
import { beginPharmacyCall, settleSubmission } from '../../db/router/submissions.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { AcceptedAnswer, PharmacyResult } from '../../domain/router/submission.js';
import { pauseOf, placeOrder } from '../../integrations/pharmacies/orders.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';

/** Equal to the workflow's timeout per call, so three calls fit the pharmacy's budget (D23). */
const limits = { timeoutMs: 5_500 };
/** Backoff before the next call if the pharmacy sends no `Retry-After`. */
const pauseMs = 300;

export interface Tried {
  pharmacy: Pharmacy;
  result: PharmacyResult;
}

/** `open`: a workflow has to finish the submission; `lost`: another request claimed it meanwhile. */
type FirstTry =
  | { state: 'completed'; tried: Tried }
  | { state: 'recorded'; answer: AcceptedAnswer }
  | { state: 'rejected'; rejection: ClaimRefusal }
  | { state: 'open'; pauseMs: number }
  | { state: 'lost' };

/**
 * Claims a submission for this process and makes the first of its three calls to the pharmacy (D113). It uses the same
 * keys and records as the workflow. If the claim throws, a repeated request or a sweep cleans up.
 */
export async function tryFirst(
  { sql, logger, pharmacies }: Pick<ServiceContext, 'sql' | 'logger'> & { pharmacies: Pharmacies },
  request: ClaimRequest,
): Promise<FirstTry> {
  let claimed: Claimed | { refused: ClaimRefusal };
  try {
    claimed = await claimSubmission(sql, request, 'service');
  } catch (error) {
    // The same request reached another process first.
    if (violatedConstraint(error) === 'submission_pkey') return { state: 'lost' };
    throw error;
  }
  if ('refused' in claimed) return { state: 'rejected', rejection: claimed.refused };
  if ('recorded' in claimed) return { state: 'recorded', answer: claimed.recorded };
  if ('ended' in claimed) throw new Error('A first try takes nothing over');

  const { submissionId, claimId } = request;
  const { pharmacy } = claimed;
  try {
    const call = await beginPharmacyCall(sql, pharmacies, { submissionId, claimId });
    if (!call) return { state: 'lost' };
    const result = await placeOrder(pharmacies, { submissionId, call }, limits);
    const isOurs = await settleSubmission(sql, { submissionId, claimId }, result);
    return isOurs ? { state: 'completed', tried: { pharmacy, result } } : { state: 'lost' };
  } catch (error) {
    if (error instanceof OutboundError) return { state: 'open', pauseMs: pauseOf(error) ?? pauseMs };
    logger.warn({ err: error, submissionId }, 'first try failed internally; a workflow takes over');
    return { state: 'open', pauseMs: 0 };
  }
}
