import { z } from 'zod';
import { clientOfSource, keyOfOrder } from '../../domain/clients.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import { businessDay } from '../../platform/business-day.js';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { callOwnService, type SignedCall, type SignedParty } from '../../platform/http/signed-call.js';

const order = z.object({
  submissionId: z.uuid(),
  source: z.string().nullable(),
  sourceOrderId: z.string().nullable(),
  pharmacyOrderId: z.string(),
  status: z.string(),
  article: z.string().nullable(),
  shippedAt: z.coerce.date().nullable(),
});
const found = z.object({ orders: z.array(order) });
const page = found.extend({ nextCursor: z.string().nullable() });

export type ShippedOrderClient = ReturnType<typeof createShippedOrderClient>;

/**
 * The orders that pharmacies bill (D133), as the router has them. All methods throw OwnOutage and OutboundError.
 * @param timeZone in which an order was shipped on a day (D9)
 */
export function createShippedOrderClient(settings: SignedParty, timeZone: string) {
  const { party } = settings;
  const call = (request: Omit<SignedCall, 'resource'>) =>
    callOwnService(settings, { resource: 'prescription', ...request });

  /** The reference is null for an order that is not ours. */
  function staged({ source, sourceOrderId, shippedAt, ...rest }: z.infer<typeof order>) {
    const isOurs = source !== null && sourceOrderId !== null && clientOfSource(source) !== undefined;
    const reference = isOurs ? keyOfOrder({ source, sourceOrderId }) : null;
    return { ...rest, reference, shippedOn: shippedAt && businessDay(timeZone, shippedAt) };
  }

  return {
    /** A page of what a pharmacy shipped in a period. */
    async listShipped(
      { pharmacy, from, to, cursor }: { pharmacy: Pharmacy; from: Date; to: Date; cursor: string | null },
      limits: CallLimits,
    ) {
      const query = new URLSearchParams({
        pharmacy,
        shippedFrom: from.toISOString(),
        shippedTo: to.toISOString(),
        limit: '200',
        ...(cursor !== null && { cursor }),
      });
      const path = `/rx/shipped-orders?${query.toString()}`;
      const answer = parseAnswer(party, await call({ method: 'GET', path, ...limits }), page);
      return { orders: answer.orders.map(staged), nextCursor: answer.nextCursor };
    },

    /** The orders under the pharmacy's own ids, at most 200. */
    async findBilled(pharmacy: Pharmacy, pharmacyOrderIds: readonly string[], limits: CallLimits) {
      const path = '/rx/shipped-orders/find';
      const body = { pharmacy, pharmacyOrderIds };
      const answer = parseAnswer(party, await call({ method: 'POST', path, body, ...limits }), found);
      return answer.orders.map(staged);
    },
  };
}
