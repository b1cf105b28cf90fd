import { z } from 'zod';
import type { PharmacyAOrder } from '../../domain/router/pharmacy-mapping.js';
import { exchange, parseAnswer } from '../../platform/http/outbound.js';
import {
  type CallOptions,
  type FindOptions,
  type FoundOrder,
  orderId,
  type PharmacyAnswer,
  readPharmacyAnswer,
  toldStatus,
  toldText,
} from '../pharmacy-answer.js';

export interface PharmacyASettings {
  baseUrl: string;
  sandboxBaseUrl: string;
  apiKey: string;
}

export interface PharmacyAClient {
  /** Places one order per idempotency key. @throws OutboundError when there was no answer to go by */
  placeOrder: (order: PharmacyAOrder, options: CallOptions) => Promise<PharmacyAnswer>;
  /** The orders under a reference of ours, oldest first. @throws OutboundError when there was no answer to go by */
  findOrders: (reference: string, options: FindOptions) => Promise<FoundOrder[]>;
}

const party = 'pharmacy_a';
const accepted = z.object({ caseId: orderId });
const found = z.object({
  orders: z.array(
    z.object({ caseId: orderId, rxStatus: toldStatus, trackingNumber: toldText, carrier: toldText }),
  ),
});

/** The B2B endpoint of pharmacy_a, which takes pharmacy_c's orders too (D20). */
export function createPharmacyAClient(settings: PharmacyASettings): PharmacyAClient {
  const endpoint = (test: boolean) => `${test ? settings.sandboxBaseUrl : settings.baseUrl}/orders`;
  const authorization = { 'x-api-key': settings.apiKey };
  return {
    async placeOrder(order, { idempotencyKey, test, ...limits }) {
      const response = await exchange({
        party,
        method: 'POST',
        url: endpoint(test),
        headers: {
          'content-type': 'application/json',
          ...authorization,
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(order),
        ...limits,
      });
      return readPharmacyAnswer(party, response, (body) => accepted.safeParse(body).data?.caseId);
    },

    async findOrders(reference, { test, ...limits }) {
      const url = `${endpoint(test)}?${new URLSearchParams({ externalId: reference }).toString()}`;
      const response = await exchange({ party, method: 'GET', url, headers: authorization, ...limits });
      return parseAnswer(party, response, found).orders.map(
        ({ caseId, rxStatus, trackingNumber, carrier }) => ({
          pharmacyOrderId: caseId,
          status: rxStatus,
          trackingNumber,
          carrier,
        }),
      );
    },
  };
}
