/** A request to cancel a task's order, as clients read it (D104). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  /** The code of a denial; null otherwise. */
  reason: string | null;
  refundedCents: number;
  refillsCancelled: number;
}

export interface CancellationRequest {
  /** The task, or the reference of one refill. */
  reference: string;
  reason: string;
  /** For a refill: also end its schedule. */
  stopRefills: boolean;
  requestedBy: string;
}

/** The error of a run that an operator cancelled before it had an effect (D33). */
export const operatorCancelledText = 'Cancelled by an operator';
/** The error of a run whose task was cancelled before step 4 (D104). */
export const cancelledText = 'Cancelled';

export const refundKey = (chargeKey: string): string => `refund:${chargeKey}`;
