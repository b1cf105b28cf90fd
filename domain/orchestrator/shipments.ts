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
