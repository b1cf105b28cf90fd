import { z } from 'zod';
import type { PharmacyBOrder } from '../../domain/router/pharmacy-mapping.js';
import { exchange, OutboundError } from '../../platform/http/outbound.js';
import {
  type CallOptions,
  isRefusal,
  orderId,
  type PharmacyAnswer,
  readPharmacyAnswer,
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
}

const party = 'pharmacy_b';
const accepted = z.object({ tracking_id: orderId });

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

  return {
    async placeOrder(order, { idempotencyKey, test, timeoutMs, signal }) {
      const { url, tokens } = test ? sandbox : live;
      const limit = AbortSignal.timeout(timeoutMs);
      const limits = { timeoutMs, signal: signal ? AbortSignal.any([signal, limit]) : limit };
      const body = JSON.stringify(order);
      const place = (token: string) =>
        exchange({
          party,
          method: 'POST',
          url,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'idempotency-key': idempotencyKey,
          },
          body,
          ...limits,
        });

      try {
        const token = await tokens.get(limits);
        let response = await place(token);
        if (response.status === 401) {
          await tokens.drop(token);
          response = await place(await tokens.get(limits));
        }
        return readPharmacyAnswer(party, response, (answer) => accepted.safeParse(answer).data?.tracking_id);
      } catch (error) {
        const refused = refusedCredentials(error);
        if (refused) return refused;
        throw error;
      }
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
