import type { DenialReason } from './pharmacy-words.js';

/** A client's request to cancel a prescription, as the record shows it (D101). */
export interface Cancellation {
  state: 'pending' | 'approved' | 'denied';
  reason: DenialReason | null;
  requestReason: string | null;
  requestedAt: Date;
  answeredAt: Date | null;
}

export const noOrderText = 'There is no order to cancel';
