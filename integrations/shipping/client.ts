import { z } from 'zod';
import { type CallLimits, expectOk, OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export interface Recipient {
  name: string;
  phone: string;
  line1: string;
  line2?: string;
  city: string;
  state: string;
  zip: string;
}

interface ShipmentRequest {
  reference: string;
  pharmacy: string;
  pharmacyOrderId: string;
  kind: 'label' | 'tracking';
  recipient: Recipient;
  trackingNumber?: string;
  carrier?: string;
}

const created = z.object({ shipmentId: z.string(), trackingNumber: z.string(), carrier: z.string() });
export type CreatedShipment = z.infer<typeof created>;

const listed = z.object({
  shipments: z.array(z.object({ shipmentId: z.string(), reference: z.string(), createdAt: z.coerce.date() })),
  nextCursor: z.string().nullable(),
});

export type ShippingClient = ReturnType<typeof createShippingClient>;

export const createShippingClient = (settings: SignedParty) => ({
  /** Creates the shipment of an order, once per key. @throws OutboundError */
  async createShipment(
    shipment: ShipmentRequest,
    options: CallLimits & { idempotencyKey: string },
  ): Promise<CreatedShipment> {
    const call = {
      method: 'POST',
      resource: 'shipment',
      path: '/shipping/shipments',
      body: shipment,
    } as const;
    const party = { ...settings, signatureVersion: 1 } as const;
    const response = expectOk(party.party, await signedCall(party, { ...call, ...options }));
    try {
      return parseAnswer(party.party, response, created);
    } catch {
      // The shipment exists, so this counts as a lost answer: a repeat under the key reads it (D114).
      throw new OutboundError(party.party, { kind: 'network', code: 'UNREADABLE_ANSWER' });
    }
  },

  /** A page of all labels and parcels of a period, oldest first (D131). @throws OutboundError */
  async listShipments(
    { from, to, cursor }: { from: Date; to: Date; cursor: string | null },
    options: CallLimits,
  ) {
    const query = new URLSearchParams({
      from: from.toISOString(),
      to: to.toISOString(),
      limit: '100',
      ...(cursor !== null && { cursor }),
    });
    const call = {
      method: 'GET',
      resource: 'shipment',
      path: `/shipping/shipments?${query.toString()}`,
    } as const;
    const party = { ...settings, signatureVersion: 1 } as const;
    return parseAnswer(party.party, await signedCall(party, { ...call, ...options }), listed);
  },
});
