import type { DenialReason } from './pharmacy-words.js';

/** A prescription that its client takes back, as the record shows it (D101). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  /** The denial's, else null. */
  reason: DenialReason | null;
  requestReason: string | null;
  requestedAt: Date;
  answeredAt: Date | null;
}

/** Answers a request to cancel what was never ordered (409). */
export const noOrderText = 'There is no order to cancel';
