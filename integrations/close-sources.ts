import type { BookSources } from '../domain/orchestrator/close-books.js';
import type { CallLimits } from '../platform/http/outbound.js';
import type { OrderClient } from './router/orders.js';
import type { ShippingClient } from './shipping/client.js';
import type { ProcessorLedger } from './stripe/ledger.js';

const hourMs = 60 * 60 * 1000;

/** When labels are looked for that no page had. */
interface LabelSearch {
  from: Date;
  to: Date;
  /** Orders with known labels too are looked for again. */
  isOfAll: boolean;
}

/** An hour on both sides of the end of a day. */
export const nightOf = (midnight: Date): LabelSearch => ({
  from: new Date(midnight.getTime() - hourMs),
  to: new Date(midnight.getTime() + hourMs),
  isOfAll: false,
});

/** The services that a close asks once more (D132). */
export function closeSources(
  { orders, shipping, ledger }: { orders: OrderClient; shipping: ShippingClient; ledger: ProcessorLedger },
  { from, to, isOfAll }: LabelSearch,
  limits: CallLimits,
): Omit<BookSources, 'listFacts' | 'listOwnBooks'> {
  let labels: Promise<{ id: string; submissionId: string }[]> | undefined;
  const listLabels = async () => {
    const all: { id: string; submissionId: string }[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await shipping.listShipments({ from, to, cursor }, limits);
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
    labelsOf: async (submissionIds, known) => {
      if (known.length > 0 && !isOfAll) return known;
      const all = await (labels ??= listLabels());
      return all.filter(({ submissionId }) => submissionIds.includes(submissionId)).map(({ id }) => id);
    },
  };
}
