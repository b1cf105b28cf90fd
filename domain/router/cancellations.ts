import type { DenialReason } from './pharmacy-words.js';

/** A client's request to cancel a prescription, as the record shows it (D101). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  /** The denial's, else null. */
  reason: DenialReason | null;
  requestReason: string | null;
  requestedAt: Date;
  answeredAt: Date | null;
}

/** The 409 for a prescription without an order. */
export const noOrderText = 'There is no order to cancel';
