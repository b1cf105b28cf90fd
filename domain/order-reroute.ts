import type { Pharmacy } from './pharmacies.js';

/** A person has answered a pharmacy's question by another pharmacy (D109). */
export const orderRerouteAsked = 'order.reroute_asked';

export interface RerouteAsked {
  submissionId: string;
  /** The order's reference. */
  sourceOrderId: string;
  /** Where it shall go. */
  pharmacy: Pharmacy;
  /** An admin's e-mail address. */
  requestedBy: string;
}
