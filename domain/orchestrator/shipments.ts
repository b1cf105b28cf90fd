/** The router said this of an order (page 1, Callback payloads), and it changes the shipment. */
export interface PharmacyUpdate {
  submissionId: string;
  /** The order's reference. */
  sourceOrderId: string;
  pharmacy: string;
  pharmacyOrderId: string;
  state: 'shipped' | 'delivered' | 'cancelled';
  trackingNumber: string | null;
  carrier: string | null;
}

/** The router said that a pharmacy has cancelled an order. */
export interface CancelledOrder {
  /** The task that the order is of; for a refill its reference. */
  heldBy: string;
  /** The order's own reference. */
  reference: string;
  submissionId: string;
}
