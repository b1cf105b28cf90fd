import { z } from 'zod';
import type { PharmacyBOrder } from '../../domain/router/pharmacy-mapping.js';
import {
  exchange,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  parseAnswer,
} from '../../platform/http/outbound.js';
import {
  type CallOptions,
  type FindOptions,
  type FoundOrder,
  isRefusal,
  orderId,
  type PharmacyAnswer,
  readPharmacyAnswer,
  toldStatus,
  toldText,
} from '../pharmacy-answer.js';
import { createTokenSource } from './token.js';

export interface PharmacyBSettings {
  baseUrl: string;
  sandboxBaseUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface PharmacyBClient {
  /** Places one order per idempotency key. @throws OutboundError when there was no answer to go by */
  placeOrder: (order: PharmacyBOrder, options: CallOptions) => Promise<PharmacyAnswer>;
  /** The orders under a reference of ours, oldest first. @throws OutboundError when there was no answer to go by */
  findOrders: (reference: string, options: FindOptions) => Promise<FoundOrder[]>;
}

const party = 'pharmacy_b';
const accepted = z.object({ tracking_id: orderId });
const found = z.object({
  prescriptions: z.array(
    z.object({
      tracking_id: orderId,
      rxstatus: toldStatus,
      trackingnumber: toldText,
      shippingcarrier: toldText,
    }),
  ),
});

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

  /** One call with a token, and once more with a new one where the pharmacy has forgotten it. */
  async function authorized(
    call: Pick<OutboundRequest, 'method' | 'headers' | 'body'> & { query?: string },
    { test, timeoutMs, signal }: FindOptions,
  ): Promise<OutboundResponse> {
    const { url, tokens } = test ? sandbox : live;
    const limit = AbortSignal.timeout(timeoutMs);
    const limits = { timeoutMs, signal: signal ? AbortSignal.any([signal, limit]) : limit };
    const { query = '', headers, ...request } = call;
    const send = (token: string) =>
      exchange({
        party,
        url: url + query,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...request,
        ...limits,
      });
    const token = await tokens.get(limits);
    const response = await send(token);
    if (response.status !== 401) return response;
    await tokens.drop(token);
    return send(await tokens.get(limits));
  }

  return {
    async placeOrder(order, { idempotencyKey, ...options }) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
      try {
        const response = await authorized({ method: 'POST', headers, body: JSON.stringify(order) }, options);
        return readPharmacyAnswer(party, response, (answer) => accepted.safeParse(answer).data?.tracking_id);
      } catch (error) {
        const refused = refusedCredentials(error);
        if (refused) return refused;
        throw error;
      }
    },

    async findOrders(reference, options) {
      const query = `?${new URLSearchParams({ reference }).toString()}`;
      const response = await authorized({ method: 'GET', query }, options);
      return parseAnswer(party, response, found).prescriptions.map(
        ({ tracking_id, rxstatus, trackingnumber, shippingcarrier }) => ({
          pharmacyOrderId: tracking_id,
          status: rxstatus,
          trackingNumber: trackingnumber,
          carrier: shippingcarrier,
        }),
      );
    },
  };
}

/** A token request that is refused is the pharmacy's no: without a token nothing was ordered. */
function refusedCredentials(error: unknown): PharmacyAnswer | undefined {
  if (!(error instanceof OutboundError) || error.fault.kind !== 'status') return undefined;
  const { status, body } = error.fault;
  if (!isRefusal(status)) return undefined;
  return readPharmacyAnswer(party, { status, body, headers: {} }, () => undefined);
}
