import { findCancellation, requestCancellation } from '../../db/router/cancellations.js';
import { type Cancellation, noOrderText } from '../../domain/router/cancellations.js';
import { cancelPrescription } from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { conflict } from '../http-errors.js';

/**
 * Takes a prescription back (D101): notes the request, and starts or joins the run that asks the pharmacy. What the row
 * settles already is the answer, without the pharmacy.
 * @returns what came of it; `pending` while the pharmacy has not answered
 * @throws Refused 409 where the pharmacy has rejected the order
 */
export async function cancel(
  { sql, temporal }: Pick<ServiceContext, 'sql' | 'temporal'>,
  request: { submissionId: string; requestReason: string | null },
  answerWithinMs = 30_000,
): Promise<Cancellation> {
  const { submissionId } = request;
  const deadline = Date.now() + answerWithinMs;
  let cancellation = await requestCancellation(sql, request);
  if (!cancellation) throw conflict(noOrderText);
  while (cancellation.state === 'pending') {
    const { state } = await cancelPrescription(temporal, submissionId, Math.max(0, deadline - Date.now()));
    cancellation = (await findCancellation(sql, submissionId)) ?? cancellation;
    // A run that was just about to end had another request: the next one has this.
    if (state !== 'completed') break;
  }
  return cancellation;
}

export const presentedCancellation = ({ requestedAt, answeredAt, ...rest }: Cancellation) => ({
  ...rest,
  requestedAt: requestedAt.toISOString(),
  answeredAt: answeredAt?.toISOString() ?? null,
});
