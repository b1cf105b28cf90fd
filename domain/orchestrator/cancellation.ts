/** A request to cancel a task's order, as clients read it (D104). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  /** The code of a denial; null otherwise. */
  reason: string | null;
  refundedCents: number;
  refillsCancelled: number;
  /** Replacements that were cancelled too, whatever the state (D120). */
  replacementsCancelled: number;
}

export interface CancellationRequest {
  /** The task, or the reference of one refill. */
  reference: string;
  reason: string;
  /** For a refill: also end its schedule. */
  stopRefills: boolean;
  /** Also cancel a task that has no order (D137); otherwise the request is rejected. */
  withoutOrder?: boolean;
  requestedBy: string;
  /** When a caller requested it, as an ISO time. The run may begin much later. */
  askedAt?: string | undefined;
}

/** The reason of a person's cancellation that gives none. The patient reads it. */
export const clinicCancelledText = 'Cancelled by the clinic';
/** The error of a run that an operator cancelled before it had an effect (D33). */
export const operatorCancelledText = 'Cancelled by an operator';
/** The error of a run whose workflow an operator terminated (D33). */
export const terminatedText = 'Terminated by an operator';
/** The error of a run whose task was cancelled before step 4 (D104). */
export const cancelledText = 'Cancelled';

export interface HeldTask {
  /** A cancellation or reroute in progress; no other run can claim the task (D104, D105). */
  changing: 'cancellation' | 'reroute' | null;
  /** Once set, it stays set. */
  cancelledAt: Date | null;
}

/** Why no run can claim a task that was cancelled or is being changed; undefined otherwise. */
export function heldBecause({ changing, cancelledAt }: HeldTask): string | undefined {
  if (cancelledAt !== null) return 'Task was cancelled';
  if (changing === null) return undefined;
  return changing === 'cancellation' ? 'Task is being cancelled' : 'Task is being rerouted';
}

/** @param attempt after a refund that failed after all the next one has another key (D153) */
export const refundKey = (chargeKey: string, attempt: number): string =>
  attempt === 1 ? `refund:${chargeKey}` : `refund:${chargeKey}~${attempt}`;

/** The key of the n-th refund of a charge that somebody asked for (D135). */
export const partRefundKey = (chargeKey: string, n: number): string => `refund:${chargeKey}:${n}`;
