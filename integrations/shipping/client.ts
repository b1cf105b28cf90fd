import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

interface ShipmentRequest {
  /** Our reference of the order. */
  reference: string;
  pharmacy: string;
  pharmacyOrderId: string;
  kind: 'label' | 'tracking';
  recipient: {
    name: string;
    phone: string;
    line1: string;
    line2?: string;
    city: string;
    state: string;
    zip: string;
  };
  trackingNumber?: string;
  carrier?: string;
}

const created = z.object({ shipmentId: z.string(), trackingNumber: z.string(), carrier: z.string() });
export type CreatedShipment = z.infer<typeof created>;

export interface ShippingClient {
  /** Makes the shipment of an order, once per key. @throws OutboundError */
  createShipment: (
    shipment: ShipmentRequest,
    options: { idempotencyKey: string; timeoutMs: number; signal?: AbortSignal },
  ) => Promise<CreatedShipment>;
}

export function createShippingClient(settings: SignedParty): ShippingClient {
  const { party } = settings;
  return {
    async createShipment(shipment, options) {
      const response = await signedCall(settings, {
        method: 'POST',
        resource: 'shipment',
        path: '/shipping/shipments',
        body: shipment,
        ...options,
      });
      return parseAnswer(party, response, created);
    },
  };
}
