import { z } from 'zod';
import { reportedHold } from '../../domain/router/holds.js';
import { type PharmacyAOrder, toPharmacyAHoldAnswer } from '../../domain/router/pharmacy-mapping.js';
import { pharmacyAWords } from '../../domain/router/pharmacy-words.js';
import { exchange, type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import {
  type CallLimits,
  type CallOptions,
  denied,
  type OrderCalls,
  orderId,
  type OrderReport,
  type PharmacyAnswer,
  readHoldReply,
  readPharmacyAnswer,
  reportedStatus,
  textOf,
} from '../pharmacy-answer.js';

export interface PharmacyASettings {
  baseUrl: string;
  sandboxBaseUrl: string;
  apiKey: string;
}

export interface PharmacyAClient extends OrderCalls {
  /** Places one order per idempotency key. @throws OutboundError when there was no answer to go by */
  placeOrder: (order: PharmacyAOrder, options: CallOptions) => Promise<PharmacyAnswer>;
}

const party = 'pharmacy_a';
const accepted = z.object({ caseId: orderId });
const told = z.object({
  caseId: orderId,
  rxStatus: z.string(),
  trackingNumber: z.string().optional(),
  carrier: z.string().optional(),
  hold: z
    .object({
      id: z.string(),
      code: z.string(),
      message: z.string().optional(),
      until: z.string().optional(),
    })
    .optional(),
});
const cancelled = z.object({
  cancellation: z.enum(['approved', 'denied']),
  reason: z.string().optional(),
});

/** The B2B endpoint of pharmacy_a, which takes pharmacy_c's orders too (D20). */
export function createPharmacyAClient(settings: PharmacyASettings): PharmacyAClient {
  const get = (path: string, { test, ...limits }: CallLimits): Promise<OutboundResponse> =>
    exchange({
      party,
      method: 'GET',
      url: urlOf(path, test),
      headers: { 'x-api-key': settings.apiKey },
      ...limits,
    });
  const post = (
    path: string,
    body: object,
    { idempotencyKey, test, ...limits }: CallOptions,
  ): Promise<OutboundResponse> =>
    exchange({
      party,
      method: 'POST',
      url: urlOf(path, test),
      headers: {
        'content-type': 'application/json',
        'x-api-key': settings.apiKey,
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
      ...limits,
    });
  const urlOf = (path: string, test: boolean) =>
    `${test ? settings.sandboxBaseUrl : settings.baseUrl}/orders${path}`;

  return {
    async placeOrder(order, options) {
      const response = await post('', order, options);
      return readPharmacyAnswer(party, response, (body) => accepted.safeParse(body).data?.caseId);
    },
    async ask(caseId, limits) {
      const response = await get(`/${encodeURIComponent(caseId)}`, limits);
      return response.status === 404 ? undefined : reportOf(parseAnswer(party, response, told));
    },
    async findOrders(reference, limits) {
      const response = await get(`?${new URLSearchParams({ externalId: reference }).toString()}`, limits);
      return parseAnswer(party, response, z.object({ orders: z.array(told) })).orders.map(reportOf);
    },
    async cancel(caseId, reason, options) {
      const body = reason === null ? {} : { reason };
      const response = await post(`/${encodeURIComponent(caseId)}/cancel`, body, options);
      if (response.status === 404) return { state: 'denied', reason: 'not_found' };
      const { cancellation, reason: word } = parseAnswer(party, response, cancelled);
      return cancellation === 'approved' ? { state: 'approved' } : denied(pharmacyAWords, word);
    },
    async answerHold({ pharmacyOrderId, holdId }, answer, options) {
      const path = `/${encodeURIComponent(pharmacyOrderId)}/holds/${encodeURIComponent(holdId)}/answer`;
      return readHoldReply(party, await post(path, toPharmacyAHoldAnswer(answer), options));
    },
  };
}

const reportOf = ({
  caseId,
  rxStatus,
  trackingNumber,
  carrier,
  hold,
}: z.infer<typeof told>): OrderReport => ({
  pharmacyOrderId: caseId,
  status: reportedStatus(rxStatus),
  trackingNumber: textOf(trackingNumber),
  carrier: textOf(carrier),
  hold: hold ? reportedHold(pharmacyAWords, hold) : null,
});
