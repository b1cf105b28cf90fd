import type { DenialReason } from './pharmacy-words.js';
import type { SubmissionStatus } from './submission.js';

/** A client's request to cancel a prescription, as the record shows it (D101). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  reason: DenialReason | null;
  requestReason: string | null;
  requestedAt: Date;
  answeredAt: Date | null;
}

export const noOrderText = 'There is no order to cancel';

/** The answer that an order's status gives without asking the pharmacy; undefined when only the pharmacy knows. */
export function cancellationVerdict(
  status: SubmissionStatus,
): { state: 'approved' | 'denied'; reason: DenialReason | null } | undefined {
  if (status === 'cancelled') return { state: 'approved', reason: null };
  return status === 'delivered' ? { state: 'denied', reason: 'already_dispensed' } : undefined;
}
