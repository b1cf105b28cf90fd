import { findCancellation, requestCancellation } from '../../db/router/cancellations.js';
import { findSubmissionState } from '../../db/router/submissions.js';
import { type Cancellation, noOrderText } from '../../domain/router/cancellations.js';
import { cancelPrescription } from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { conflict } from '../http-errors.js';

/**
 * Cancels a prescription (D101): records the request, then starts or joins the workflow that asks the pharmacy.
 * A request that is already decided gets the recorded answer.
 * @returns the cancellation; `pending` while the pharmacy has not answered
 * @throws HttpError 409 if the pharmacy rejected the order, or does not have it
 */
export async function cancel(
  { sql, temporal }: Pick<ServiceContext, 'sql' | 'temporal'>,
  request: { submissionId: string; requestReason: string | null },
  answerWithinMs = 30_000,
): Promise<Cancellation> {
  const { submissionId } = request;
  const deadline = Date.now() + answerWithinMs;
  const before = await findSubmissionState(sql, submissionId);
  let cancellation = await requestCancellation(sql, request);
  if (!cancellation) throw conflict(noOrderText);
  while (cancellation.state === 'pending') {
    const { state } = await cancelPrescription(temporal, submissionId, Math.max(0, deadline - Date.now()));
    cancellation = (await findCancellation(sql, submissionId)) ?? cancellation;
    // A workflow that was completing belonged to an earlier request, so start another for this one.
    if (state !== 'completed') break;
  }
  // The pharmacy did not have the order before, and does not have it now (D138).
  if (before?.outcome === 'missing' && cancellation.reason === 'not_found') throw conflict(noOrderText);
  return cancellation;
}
