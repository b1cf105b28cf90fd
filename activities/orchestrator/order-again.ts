import { ownTaskId } from '../../domain/clients.js';
import { erasedPrescriptionText, type ShipTo } from '../../domain/orchestrator/replacement.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { PrescriptionSubmission, RouterClient } from '../../integrations/router/client.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import { calling, callLimits } from '../calls.js';
import type { PharmacyOrder } from './pharmacy.js';

/** The pharmacy's answer; `unknown`: the order may exist, and the router reconciles it (D114). */
export type PlacedAgain =
  { placed: PharmacyOrder } | { refusal: string } | { unknown: true; submissionId: string };

/**
 * Orders the prescription of an order again, under another reference. Safe to repeat: the router answers a repeated
 * reference with its first answer (D21).
 * @param order `shipTo` replaces the address of the first order; its recipient stays
 */
export const orderAgain = (
  { router, orders }: { router: RouterClient; orders: OrderClient },
  order: { source: string; reference: string; pharmacy: Pharmacy; shipTo?: ShipTo | null },
): Promise<PlacedAgain> => {
  const { source, reference, pharmacy, shipTo } = order;
  return calling(async () => {
    const prescription = await orders.readPrescription(source, callLimits());
    const { shipTo: first } = prescription as Partial<PrescriptionSubmission>;
    if (!first) return { refusal: erasedPrescriptionText };
    const { firstName, lastName, phone } = first;
    const answer = await router.submit(
      {
        ...prescription,
        sourceOrderId: ownTaskId(reference),
        ...(shipTo ? { shipTo: { firstName, lastName, phone, ...shipTo } } : {}),
        routing: { ...prescription.routing, preferredPharmacy: pharmacy },
      },
      callLimits(),
    );
    if (!('rejection' in answer)) return { placed: answer };
    const { rejection: refusal, unknownId: submissionId } = answer;
    return submissionId === undefined ? { refusal } : { unknown: true as const, submissionId };
  });
};
