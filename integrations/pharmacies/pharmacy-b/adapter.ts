import { z } from 'zod';
import { builtInArticles } from '../../../domain/router/articles.js';
import { exchange, OutboundError } from '../../../platform/http/outbound.js';
import {
  cancelAnswer,
  isRejection,
  orderCalls,
  orderId,
  type OrderReport,
  type PharmacyAnswer,
  type PharmacySystemDefinition,
  readPharmacyAnswer,
  requestOf,
  type Send,
  textOf,
} from '../adapter.js';
import { opt, said, saidHold, wordOf } from '../webhooks.js';
import { toHoldAnswer, toOrder } from './order.js';
import { createTokenSource } from './token.js';
import { statusOf, webhook } from './webhook.js';
import { words } from './words.js';

const party = 'pharmacy_b';
const accepted = z.object({ tracking_id: orderId });
const order = z
  .object({
    tracking_id: orderId,
    rxstatus: z.string(),
    trackingnumber: opt(said(500)),
    shippingcarrier: opt(said(500)),
    holdid: opt(said(200)),
    holdcode: opt(said(200)),
    holdmessage: opt(said(10_000)),
    holduntil: opt(said(100)),
  })
  .refine(
    ({ holdid, holdcode, holdmessage }) => holdid !== undefined || (holdcode ?? holdmessage) === undefined,
  );
const orders = z.object({ prescriptions: z.array(order.safeExtend({ reference: z.string() })) });
const cancellation = z.object({
  result: wordOf(['approved', 'denied']),
  denial_reason: opt(z.string()),
});

/** OAuth 2.0 client credentials and a catalog. Live and sandbox have separate tokens. */
export const pharmacyB: PharmacySystemDefinition = {
  words,
  webhook,
  create(settings) {
    const endpoint = (baseUrl: string) => ({
      url: `${baseUrl}/prescriptions`,
      tokens: createTokenSource(party, {
        tokenUrl: `${baseUrl}/oauth/token`,
        clientId: settings.PHARMACY_B_CLIENT_ID,
        clientSecret: settings.PHARMACY_B_CLIENT_SECRET,
      }),
    });
    const live = endpoint(settings.PHARMACY_B_BASE_URL);
    const sandbox = endpoint(settings.PHARMACY_B_SANDBOX_BASE_URL);

    /** One call, repeated with a new token if the pharmacy rejects the cached one early. */
    const send: Send = async (call, { test, timeoutMs, signal }) => {
      const { headers, ...request } = requestOf(call);
      const { url, tokens } = test ? sandbox : live;
      const limit = AbortSignal.timeout(timeoutMs);
      const limits = { timeoutMs, signal: signal ? AbortSignal.any([signal, limit]) : limit };
      const withToken = (token: string) =>
        exchange({
          party,
          url: url + call.path,
          headers: { ...headers, authorization: `Bearer ${token}` },
          ...request,
          ...limits,
        });
      const token = await tokens.get(limits);
      const response = await withToken(token);
      if (response.status !== 401) return response;
      await tokens.drop(token);
      return withToken(await tokens.get(limits));
    };

    return {
      catalog: {
        articles: builtInArticles({
          semaglutide: settings.PHARMACY_B_CATALOG_SEMAGLUTIDE,
          tirzepatide: settings.PHARMACY_B_CATALOG_TIRZEPATIDE,
        }),
        unknown: { rejection: 'pharmacy_b has no catalog id for this medication' },
      },
      async placeOrder(reference, { article, submission }, { idempotencyKey, ...limits }) {
        const call = { path: '', idempotencyKey, body: toOrder(reference, article, submission) };
        try {
          const response = await send(call, limits);
          return readPharmacyAnswer(party, response, (body) => accepted.safeParse(body).data?.tracking_id);
        } catch (error) {
          const rejected = rejectedCredentials(error);
          if (rejected) return rejected;
          throw error;
        }
      },
      ...orderCalls(party, send, {
        reference: 'reference',
        order: order.transform(reportOf),
        orders: orders.transform(({ prescriptions }) =>
          prescriptions.map((order) => ({ reference: order.reference, report: reportOf(order) })),
        ),
        cancellation: cancellation.transform((body) => cancelAnswer(words, body.result, body.denial_reason)),
        holdAnswer: toHoldAnswer,
      }),
    };
  },
};

function reportOf(reported: z.infer<typeof order>): OrderReport {
  const { holdid: id, holdcode: code, holdmessage: message, holduntil: until } = reported;
  return {
    pharmacyOrderId: reported.tracking_id,
    status: statusOf(reported.rxstatus),
    trackingNumber: textOf(reported.trackingnumber),
    carrier: textOf(reported.shippingcarrier),
    hold: saidHold(words, { id, code, message, until }),
  };
}

/**
 * A rejected token request rejects this call: nothing was ordered without a token. As a 401 it says nothing about an
 * earlier call, whatever status the token endpoint gave (D21).
 */
function rejectedCredentials(error: unknown): PharmacyAnswer | undefined {
  if (!(error instanceof OutboundError) || error.fault.kind !== 'status') return undefined;
  const { status, body } = error.fault;
  if (!isRejection(status)) return undefined;
  const answer = readPharmacyAnswer(party, { status, body, headers: {} }, () => undefined);
  return answer.accepted ? undefined : { ...answer, status: 401 };
}
