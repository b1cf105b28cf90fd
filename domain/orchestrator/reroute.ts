import type { Pharmacy } from '../pharmacies.js';

export interface Placing {
  /** The task's own, or `<task>#<n>` after it was moved (D105). */
  reference: string;
  /** null: the patient's state decides. */
  pharmacy: Pharmacy | null;
}

/** A request to move an order to another pharmacy (D105). */
export interface RerouteRequest {
  /** The task, or the reference of one refill. */
  reference: string;
  pharmacy: Pharmacy;
  requestedBy: string;
}

export type RerouteEnd =
  | { state: 'moved'; submissionId: string; pharmacy: Pharmacy; reference: string }
  /** The first pharmacy keeps the order. @property reason the denial's code */
  | { state: 'denied'; reason: string }
  /** The pharmacy has the order already, or cannot fill it. */
  | { state: 'unfillable'; error: string }
  /** The new order may exist, and the router reconciles it (D114). */
  | { state: 'unknown' }
  /** The new pharmacy rejected it: there is no order now. */
  | { state: 'rejected'; error: string };
