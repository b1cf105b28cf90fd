/** What became of a request to take a task's order back, as its clients read it (D104). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  /** The code of a denial; null otherwise. */
  reason: string | null;
  refundedCents: number;
  /** The refills that will not be sent any more. */
  refillsCancelled: number;
}

/** Somebody asked for it, or the pharmacy did it by itself. */
export interface CancellationRequest {
  /** The task, or the reference of one refill. */
  reference: string;
  reason: string;
  /** Of a refill: its schedule ends with it. */
  stopRefills: boolean;
  requestedBy: string;
}

/** A run that an operator ended before it could have an effect says this (D33). */
export const operatorCancelledText = 'Cancelled by an operator';
/** The error of a run whose workflow an operator terminated (D33). */
export const terminatedText = 'Terminated by an operator';
/** A run whose task was cancelled before its step 4 says this (D104). */
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

/** The key of a charge's one refund. */
export const refundKey = (chargeKey: string): string => `refund:${chargeKey}`;
