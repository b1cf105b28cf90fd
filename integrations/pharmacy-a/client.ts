import { z } from 'zod';
import type { PharmacyAOrder } from '../../domain/router/pharmacy-mapping.js';
import { exchange } from '../../platform/http/outbound.js';
import { type CallOptions, orderId, type PharmacyAnswer, readPharmacyAnswer } from '../pharmacy-answer.js';

export interface PharmacyASettings {
  baseUrl: string;
  sandboxBaseUrl: string;
  apiKey: string;
}

export interface PharmacyAClient {
  /** Places one order per idempotency key. @throws OutboundError when there was no answer to go by */
  placeOrder: (order: PharmacyAOrder, options: CallOptions) => Promise<PharmacyAnswer>;
}

const party = 'pharmacy_a';
const accepted = z.object({ caseId: orderId });

/** The B2B endpoint of pharmacy_a, which takes pharmacy_c's orders too (D20). */
export const createPharmacyAClient = (settings: PharmacyASettings): PharmacyAClient => ({
  async placeOrder(order, { idempotencyKey, test, ...limits }) {
    const response = await exchange({
      party,
      method: 'POST',
      url: `${test ? settings.sandboxBaseUrl : settings.baseUrl}/orders`,
      headers: {
        'content-type': 'application/json',
        'x-api-key': settings.apiKey,
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(order),
      ...limits,
    });
    return readPharmacyAnswer(party, response, (body) => accepted.safeParse(body).data?.caseId);
  },
});
