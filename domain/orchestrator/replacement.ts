import type { Pharmacy } from '../pharmacies.js';

export const replacementReasons = ['lost', 'damaged', 'temperature', 'returned', 'wrong_item'] as const;
export const replacementPayers = ['pharmacy', 'carrier', 'company', 'patient'] as const;
/** `unknown`: the pharmacy did not answer, so the order may exist (D114). */
export const replacementStates = [
  'pending',
  'ordered',
  'unknown',
  'shipped',
  'delivered',
  'cancelled',
  'rejected',
] as const;
export type ReplacementState = (typeof replacementStates)[number];

/** Another address for an order. The recipient stays. */
export interface ShipTo {
  addressLine1: string;
  addressLine2?: string;
  city: string;
  state: string;
  zip: string;
}

/** A request to replace a shipped order (D120). */
export interface ReplacementRequest {
  reason: (typeof replacementReasons)[number];
  paidBy: (typeof replacementPayers)[number];
  note: string | null;
  shipTo: ShipTo | null;
}

/** A replacement as clients read it. */
export interface Replacement extends Pick<ReplacementRequest, 'reason' | 'paidBy'> {
  n: number;
  /** `<task>~<n>` */
  reference: string;
  /** The router's id; null before the pharmacy has answered. */
  submissionId: string | null;
  pharmacy: Pharmacy;
  state: ReplacementState;
  at: Date;
}

/** How the run of a replacement ends. */
export type ReplacementEnd = { state: 'ordered' | 'unknown' } | { state: 'rejected'; error: string };

/** A later replacement may follow once the last one is in such a state. */
export const isOver = (state: ReplacementState): boolean =>
  state === 'delivered' || state === 'cancelled' || state === 'rejected';

export const notShippedText = 'The order has not shipped';
export const erasedPrescriptionText = 'The prescription was erased';
export const underWayText = 'A replacement is under way';
/** The change that the patient reads. */
export const replacementNotice = 'A replacement is on its way';
