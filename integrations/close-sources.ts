import type { BookSources } from '../domain/orchestrator/close-books.js';
import type { CallLimits } from '../platform/http/outbound.js';
import type { OrderClient } from './router/orders.js';
import type { ShippingClient } from './shipping/client.js';
import type { ProcessorLedger } from './stripe/ledger.js';

const hourMs = 60 * 60 * 1000;

/** The services that a close asks once more (D132). @param midnight the end of the day */
export function closeSources(
  { orders, shipping, ledger }: { orders: OrderClient; shipping: ShippingClient; ledger: ProcessorLedger },
  midnight: Date,
  limits: CallLimits,
): Omit<BookSources, 'listFacts' | 'listOwnBooks'> {
  const night = {
    from: new Date(midnight.getTime() - hourMs),
    to: new Date(midnight.getTime() + hourMs),
  };
  let labels: Promise<{ id: string; submissionId: string }[]> | undefined;
  const listNight = async () => {
    const all: { id: string; submissionId: string }[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await shipping.listShipments({ ...night, cursor }, limits);
      all.push(
        ...page.shipments.map(({ shipmentId: id, reference: submissionId }) => ({ id, submissionId })),
      );
      cursor = page.nextCursor;
      if (cursor === null) return all;
    }
  };
  return {
    ofIntent: (intentId) => ledger.ofIntent(intentId, limits.timeoutMs),
    refundsOf: (chargeId) => ledger.refundsOf(chargeId, limits.timeoutMs),
    findOrderOf: (reference) => orders.findOrderOf(reference, limits),
    labelsOfNight: () => (labels ??= listNight()),
  };
}
