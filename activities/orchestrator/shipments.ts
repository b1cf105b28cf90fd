import type { PatientDetails } from '../../domain/orderable-patient.js';
import type { Sql } from '../../db/client.js';
import { findShipment, type NewShipment, openShipment } from '../../db/orchestrator/shipments.js';
import type { CreatedShipment, ShippingClient } from '../../integrations/shipping/client.js';
import { callLimits } from '../call-limits.js';
import { once } from '../failures.js';
import type { PharmacyOrder } from './pharmacy.js';

export interface ShipmentDependencies {
  sql: Sql;
  shipping: ShippingClient;
}

/** An order for which a label is made. */
export interface LabelRequest {
  order: PharmacyOrder;
  patient: PatientDetails;
}

export const createShipmentActivities = ({ sql, shipping }: ShipmentDependencies) => ({
  /**
   * Step 6: a label at once where the patient is given, and the shipment's record (D38).
   * @throws Unavailable when the shipping service said nothing, so that there may be a label; Rejected
   *
   * Safe to retry: a label on record is not asked for again, and the shipping service knows one by its key.
   */
  async shipOrder(input: {
    shipment: Omit<NewShipment, 'label'>;
    order: PharmacyOrder;
    patient?: PatientDetails | undefined;
  }): Promise<void> {
    const { shipment, order, patient } = input;
    const isMade = patient && (await findShipment(sql, order.submissionId))?.shipmentId;
    const label =
      patient && !isMade ? await once(() => askForLabel(shipping, { order, patient })) : undefined;
    await openShipment(sql, { ...shipment, label });
  },
});

export type ShipmentActivities = ReturnType<typeof createShipmentActivities>;

/** Under its key, by which the shipping service knows it again. */
export const askForLabel = (
  shipping: ShippingClient,
  { order, patient }: LabelRequest,
): Promise<CreatedShipment> => {
  const { submissionId: reference, pharmacy, pharmacyOrderId } = order;
  const { firstName, lastName, phone, address } = patient;
  const recipient = { name: `${firstName} ${lastName}`, phone, ...address };
  return shipping.createShipment(
    { reference, pharmacy, pharmacyOrderId, kind: 'label', recipient },
    { idempotencyKey: `shipment:${reference}`, ...callLimits() },
  );
};
