import { z } from 'zod';
import { reportedHold } from '../../domain/router/holds.js';
import { type PharmacyBOrder, toPharmacyBHoldAnswer } from '../../domain/router/pharmacy-mapping.js';
import { pharmacyBWords } from '../../domain/router/pharmacy-words.js';
import { exchange, OutboundError, type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import {
  type CallLimits,
  type CallOptions,
  denied,
  isRefusal,
  type OrderCalls,
  orderId,
  type OrderReport,
  type PharmacyAnswer,
  readHoldReply,
  readPharmacyAnswer,
  reportedStatus,
  textOf,
} from '../pharmacy-answer.js';
import { createTokenSource } from './token.js';

export interface PharmacyBSettings {
  baseUrl: string;
  sandboxBaseUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface PharmacyBClient extends OrderCalls {
  /** Places one order per idempotency key. @throws OutboundError when there was no answer to go by */
  placeOrder: (order: PharmacyBOrder, options: CallOptions) => Promise<PharmacyAnswer>;
}

const party = 'pharmacy_b';
const accepted = z.object({ tracking_id: orderId });
const told = z.object({
  tracking_id: orderId,
  rxstatus: z.string(),
  trackingnumber: z.string().optional(),
  shippingcarrier: z.string().optional(),
  holdid: z.string().optional(),
  holdcode: z.string().optional(),
  holdmessage: z.string().optional(),
  holduntil: z.string().optional(),
});
const cancelled = z.object({ result: z.enum(['approved', 'denied']), denial_reason: z.string().optional() });

/** pharmacy_b: OAuth 2.0 client credentials and a catalog. Live and sandbox have tokens of their own. */
export function createPharmacyBClient(settings: PharmacyBSettings): PharmacyBClient {
  const endpoint = (baseUrl: string) => ({
    url: `${baseUrl}/prescriptions`,
    tokens: createTokenSource(party, {
      tokenUrl: `${baseUrl}/oauth/token`,
      clientId: settings.clientId,
      clientSecret: settings.clientSecret,
    }),
  });
  const live = endpoint(settings.baseUrl);
  const sandbox = endpoint(settings.sandboxBaseUrl);

  /** One call with a token; with another where that one is refused before its time. */
  async function send(
    call: { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string },
    { test, timeoutMs, signal }: CallLimits,
  ): Promise<OutboundResponse> {
    const { url, tokens } = test ? sandbox : live;
    const { path, headers, ...request } = call;
    const limit = AbortSignal.timeout(timeoutMs);
    const limits = { timeoutMs, signal: signal ? AbortSignal.any([signal, limit]) : limit };
    const withToken = (token: string) =>
      exchange({
        party,
        url: url + path,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...request,
        ...limits,
      });
    const token = await tokens.get(limits);
    const response = await withToken(token);
    if (response.status !== 401) return response;
    await tokens.drop(token);
    return withToken(await tokens.get(limits));
  }
  const get = (path: string, limits: CallLimits) => send({ method: 'GET', path }, limits);
  const post = (path: string, body: object, { idempotencyKey, ...limits }: CallOptions) =>
    send(
      {
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      },
      limits,
    );

  return {
    async placeOrder(order, options) {
      try {
        const response = await post('', order, options);
        return readPharmacyAnswer(party, response, (answer) => accepted.safeParse(answer).data?.tracking_id);
      } catch (error) {
        const refused = refusedCredentials(error);
        if (refused) return refused;
        throw error;
      }
    },
    async ask(trackingId, limits) {
      const response = await get(`/${encodeURIComponent(trackingId)}`, limits);
      return response.status === 404 ? undefined : reportOf(parseAnswer(party, response, told));
    },
    async findOrders(reference, limits) {
      const response = await get(`?${new URLSearchParams({ reference }).toString()}`, limits);
      const { prescriptions } = parseAnswer(party, response, z.object({ prescriptions: z.array(told) }));
      return prescriptions.map(reportOf);
    },
    async cancel(trackingId, reason, options) {
      const body = reason === null ? {} : { reason };
      const response = await post(`/${encodeURIComponent(trackingId)}/cancel`, body, options);
      if (response.status === 404) return { state: 'denied', reason: 'not_found' };
      const { result, denial_reason: word } = parseAnswer(party, response, cancelled);
      return result === 'approved' ? { state: 'approved' } : denied(pharmacyBWords, word);
    },
    async answerHold({ pharmacyOrderId, holdId }, answer, options) {
      const path = `/${encodeURIComponent(pharmacyOrderId)}/holds/${encodeURIComponent(holdId)}/answer`;
      return readHoldReply(party, await post(path, toPharmacyBHoldAnswer(answer), options));
    },
  };
}

function reportOf(order: z.infer<typeof told>): OrderReport {
  const { holdid: id, holdcode: code, holdmessage: message, holduntil: until } = order;
  return {
    pharmacyOrderId: order.tracking_id,
    status: order.rxstatus === 'in-transit' ? 'shipped' : reportedStatus(order.rxstatus),
    trackingNumber: textOf(order.trackingnumber),
    carrier: textOf(order.shippingcarrier),
    hold:
      id === undefined || code === undefined
        ? null
        : reportedHold(pharmacyBWords, { id, code, message, until }),
  };
}

/** A token request that is refused is the pharmacy's no: without a token nothing was ordered. */
function refusedCredentials(error: unknown): PharmacyAnswer | undefined {
  if (!(error instanceof OutboundError) || error.fault.kind !== 'status') return undefined;
  const { status, body } = error.fault;
  if (!isRefusal(status)) return undefined;
  return readPharmacyAnswer(party, { status, body, headers: {} }, () => undefined);
}
