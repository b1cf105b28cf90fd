import type { Pharmacy } from '../pharmacies.js';

/** An order goes to the router like this. */
export interface Placing {
  /** The task's own, or `<task>#<n>` after it was moved (D105). */
  reference: string;
  /** Asked for by name; null: the patient's state decides. */
  pharmacy: Pharmacy | null;
}

/** Somebody wants an order at another pharmacy (D105). */
export interface RerouteRequest {
  /** The task, or the reference of one refill. */
  reference: string;
  pharmacy: Pharmacy;
  requestedBy: string;
}

/** What came of it. */
export type RerouteEnd =
  | { state: 'moved'; submissionId: string; pharmacy: Pharmacy; reference: string }
  /** The first pharmacy keeps the order. @property reason the denial's code */
  | { state: 'denied'; reason: string }
  /** No pharmacy was asked: it has the order already, or cannot fill it. */
  | { state: 'unfillable'; error: string }
  /** The new pharmacy does not take it: there is no order now. */
  | { state: 'rejected'; error: string };
