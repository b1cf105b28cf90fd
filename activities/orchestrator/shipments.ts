import type { Addressee } from '../../domain/orchestrator/shipments.js';
import type { Sql } from '../../db/client.js';
import { findShipment, type NewShipment, openShipment } from '../../db/orchestrator/shipments.js';
import type { CreatedShipment, Recipient, ShippingClient } from '../../integrations/shipping/client.js';
import { callLimits, once } from '../calls.js';
import type { PharmacyOrder } from './pharmacy.js';

export interface ShipmentDependencies {
  sql: Sql;
  shipping: ShippingClient;
}

export interface LabelRequest {
  order: PharmacyOrder;
  patient: Addressee;
}

export const createShipmentActivities = ({ sql, shipping }: ShipmentDependencies) => ({
  /**
   * Step 6: creates a label if the patient is given, and the shipment's record (D38). Safe to retry: it requests no
   * second label, and the shipping service identifies one by its key.
   * @throws Unavailable when the shipping service did not respond, so that a label may exist; Rejected
   */
  async shipOrder(input: {
    shipment: Omit<NewShipment, 'label'>;
    order: PharmacyOrder;
    patient?: Addressee | undefined;
  }): Promise<void> {
    const { shipment, order, patient } = input;
    const isMade = patient && (await findShipment(sql, order.submissionId))?.shipmentId;
    const label =
      patient && !isMade ? await once(() => askForLabel(shipping, { order, patient })) : undefined;
    await openShipment(sql, { ...shipment, label });
  },
});

export type ShipmentActivities = ReturnType<typeof createShipmentActivities>;

/** Requests a label under a key by which the shipping service identifies a repeat. */
export const askForLabel = (
  shipping: ShippingClient,
  { order, patient }: LabelRequest,
): Promise<CreatedShipment> => requestLabel(shipping, order, recipientOf(patient));

export const recipientOf = ({ firstName, lastName, phone, address }: Addressee): Recipient => ({
  name: `${firstName} ${lastName}`,
  phone,
  ...address,
});

/** The same request, wherever it is sent from. */
export const requestLabel = (
  shipping: ShippingClient,
  { submissionId: reference, pharmacy, pharmacyOrderId }: PharmacyOrder,
  recipient: Recipient,
): Promise<CreatedShipment> =>
  shipping.createShipment(
    { reference, pharmacy, pharmacyOrderId, kind: 'label', recipient },
    { idempotencyKey: `shipment:${reference}`, ...callLimits() },
  );
