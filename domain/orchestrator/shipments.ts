/** A router callback that changes a shipment (page 1, Callback payloads). */
export interface PharmacyUpdate {
  submissionId: string;
  sourceOrderId: string;
  pharmacy: string;
  pharmacyOrderId: string;
  state: 'shipped' | 'delivered' | 'cancelled';
  trackingNumber: string | null;
  carrier: string | null;
}

export interface CancelledOrder {
  /** The order's task, or for a refill its reference. */
  heldBy: string;
  reference: string;
  submissionId: string;
}
