import { z } from 'zod';
import { builtInArticles } from '../../../domain/router/articles.js';
import { exchange } from '../../../platform/http/outbound.js';
import {
  cancelAnswer,
  orderCalls,
  orderId,
  type OrderReport,
  type PharmacySystemDefinition,
  readPharmacyAnswer,
  reportedStatus,
  requestOf,
  type Send,
  textOf,
} from '../adapter.js';
import { opt, said, saidHold, wordOf } from '../webhooks.js';
import { toHoldAnswer, toOrder } from './order.js';
import { webhook } from './webhook.js';
import { words } from './words.js';

const party = 'pharmacy_a';
const accepted = z.object({ caseId: orderId });
const order = z.object({
  caseId: orderId,
  rxStatus: z.string(),
  trackingNumber: opt(said(500)),
  carrier: opt(said(500)),
  hold: opt(
    z
      .object({
        id: opt(said(200)),
        code: opt(said(200)),
        message: opt(said(10_000)),
        until: opt(said(100)),
      })
      .refine(({ id, code, message }) => id !== undefined || (code ?? message) === undefined),
  ),
});
const orders = z.object({ orders: z.array(order.extend({ externalId: z.string() })) });
const cancellation = z.object({
  cancellation: wordOf(['approved', 'denied']),
  reason: opt(z.string()),
});

/** One B2B endpoint with an API key and SKUs. */
export const pharmacyA: PharmacySystemDefinition = {
  words,
  webhook,
  create(settings) {
    const send: Send = (call, { test, ...limits }) => {
      const { headers, ...request } = requestOf(call);
      return exchange({
        party,
        url: `${test ? settings.PHARMACY_A_SANDBOX_BASE_URL : settings.PHARMACY_A_BASE_URL}/orders${call.path}`,
        headers: { 'x-api-key': settings.PHARMACY_A_API_KEY, ...headers },
        ...request,
        ...limits,
      });
    };
    return {
      catalog: {
        articles: builtInArticles({ semaglutide: '12565', tirzepatide: '12850', nad: '12832' }),
        // The pharmacy rejects an order with this SKU (page 1, Pharmacies).
        unknown: { article: 'UNKNOWN_SKU' },
      },
      async placeOrder(reference, { article, submission }, { idempotencyKey, ...limits }) {
        const call = { path: '', idempotencyKey, body: toOrder(reference, article, submission) };
        return readPharmacyAnswer(
          party,
          await send(call, limits),
          (body) => accepted.safeParse(body).data?.caseId,
        );
      },
      ...orderCalls(party, send, {
        reference: 'externalId',
        order: order.transform(reportOf),
        orders: orders.transform(({ orders }) =>
          orders.map((order) => ({ reference: order.externalId, report: reportOf(order) })),
        ),
        cancellation: cancellation.transform((body) => cancelAnswer(words, body.cancellation, body.reason)),
        holdAnswer: toHoldAnswer,
      }),
    };
  },
};

const reportOf = ({
  caseId,
  rxStatus,
  trackingNumber,
  carrier,
  hold,
}: z.infer<typeof order>): OrderReport => ({
  pharmacyOrderId: caseId,
  status: reportedStatus(rxStatus),
  trackingNumber: textOf(trackingNumber),
  carrier: textOf(carrier),
  hold: hold ? saidHold(words, hold) : null,
});
