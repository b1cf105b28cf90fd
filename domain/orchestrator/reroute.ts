import type { Pharmacy } from '../pharmacies.js';
import type { ShipTo } from './replacement.js';

export interface Placing {
  /** The task's own, or `<task>#<n>` after it was moved (D105). */
  reference: string;
  /** null: the patient's state decides. */
  pharmacy: Pharmacy | null;
}

/** A request to move an order to another pharmacy, or to another address (D105). */
export interface RerouteRequest {
  /** The task, or the reference of one refill. */
  reference: string;
  pharmacy: Pharmacy;
  /** The first address stays without it. */
  shipTo?: ShipTo | undefined;
  requestedBy: string;
  /** When a caller requested it, as an ISO time. The run may begin much later. */
  askedAt?: string | undefined;
}

/** A prescriber is licensed by state, so that another one is another prescription. */
export const otherStateText = 'An address in another state needs a new approval';

export type RerouteEnd =
  | { state: 'moved'; submissionId: string; pharmacy: Pharmacy; reference: string }
  /** The first pharmacy keeps the order. @property reason the denial's code */
  | { state: 'denied'; reason: string }
  /** The pharmacy has the order already, or cannot fill it or send it there. */
  | { state: 'unfillable'; error: string }
  /** The new order may exist, and the router reconciles it (D114). */
  | { state: 'unknown' }
  /** The new pharmacy rejected it: there is no order now. */
  | { state: 'rejected'; error: string };
