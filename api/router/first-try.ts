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

/** What a call of the run has, so that all three stay within the pharmacy's budget (D23). */
const limits = { timeoutMs: 5_500 };
/** Between two calls, where the pharmacy does not say. */
const pauseMs = 300;

export interface Tried {
  pharmacy: Pharmacy;
  result: PharmacyResult;
}

/** `open`: a run takes it over; `lost`: another request holds the submission by now. */
export type FirstTry =
  | { state: 'settled'; tried: Tried }
  | { state: 'recorded'; answer: AcceptedAnswer }
  | { state: 'refused'; refused: ClaimRefusal }
  | { state: 'open'; pauseMs: number }
  | { state: 'lost' };

/**
 * Claims a submission for this process and makes the first of its three calls to the pharmacy (D113), under the keys and
 * with the records that its run would have.
 * @throws when the claim cannot be made, which leaves nothing behind that a repeat or a sweep does not see to
 */
export async function tryFirst(
  { sql, logger, pharmacies }: Pick<ServiceContext, 'sql' | 'logger'> & { pharmacies: Pharmacies },
  request: ClaimRequest,
): Promise<FirstTry> {
  let claimed: Claimed | { refused: ClaimRefusal };
  try {
    claimed = await sql.begin((sql) => claimSubmission(sql, request, 'service'));
  } catch (error) {
    // The same request at another process was first by a moment.
    if (violatedConstraint(error) === 'submission_pkey') return { state: 'lost' };
    throw error;
  }
  if ('refused' in claimed) return { state: 'refused', refused: claimed.refused };
  if ('recorded' in claimed) return { state: 'recorded', answer: claimed.recorded };
  if ('ended' in claimed) throw new Error('A first try takes nothing over');

  const { submissionId, claimId } = request;
  const { pharmacy } = claimed;
  try {
    const call = await beginPharmacyCall(sql, { submissionId, claimId });
    if (!call) return { state: 'lost' };
    const result = await placeOrder(pharmacies, { submissionId, call }, limits);
    const isOurs = await settleSubmission(sql, { submissionId, claimId }, result);
    return isOurs ? { state: 'settled', tried: { pharmacy, result } } : { state: 'lost' };
  } catch (error) {
    if (error instanceof OutboundError) return { state: 'open', pauseMs: pauseOf(error) ?? pauseMs };
    logger.warn({ err: error, submissionId }, 'a first try failed by a fault of our own; a run takes over');
    return { state: 'open', pauseMs: 0 };
  }
}
