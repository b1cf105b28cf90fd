import type { Pharmacy } from '../pharmacies.js';

/** An order goes to the router like this. */
export interface Placing {
  /** The task's own, or `<task>#<n>` after it was moved (D105). */
  reference: string;
  /** Asked for by name; null: the patient's state decides. */
  pharmacy: Pharmacy | null;
}

/** An order as the router has it. */
export interface RoutedOrder {
  submissionId: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string | null;
  status: string;
}
