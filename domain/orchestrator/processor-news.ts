/** The attempt of a task or refill that the processor's metadata names. */
export interface ChargeMark {
  /** The task, or a refill's reference. */
  reference: string;
  attempt: number;
}

/** A webhook event of the processor, reduced to its effect on a payment; `mark` is null if it names no task. */
export type ProcessorNews =
  | { kind: 'charged'; mark: ChargeMark; paymentIntentId: string; amountCents: number }
  | { kind: 'declined'; mark: ChargeMark; paymentIntentId: string; reason: string }
  | { kind: 'refunded'; mark: ChargeMark | null; paymentIntentId: string; refundedCents: number }
  | {
      kind: 'refund_failed';
      refundId: string;
      /** The number of a refund that somebody asked for (D135); null for the others. */
      part: number | null;
      /** The number of another refund of ours (D153); null for the rest. */
      attempt: number | null;
      paymentIntentId: string;
      amountCents: number;
      reason: string;
    }
  | { kind: 'disputed'; disputeId: string; paymentIntentId: string; reason: string; mark: ChargeMark | null };
