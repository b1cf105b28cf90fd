/**
 * What the event `order.settled` tells: an order whose outcome was unknown (D21) exists, or does not (D114). Published by
 * the router.
 */
export interface OrderSettled {
  submissionId: string;
  /** The key of the client that submitted it. */
  clientId: string;
  /** The client's reference of the order. */
  sourceOrderId: string;
  pharmacy: string;
  /** null: there is no order. */
  pharmacyOrderId: string | null;
}
