import type { PatientDetails } from '../../domain/orchestrator/patient.js';
import type { Sql } from '../../db/client.js';
import { type NewShipment, openShipment } from '../../db/orchestrator/shipments.js';
import type { CreatedShipment, ShippingClient } from '../../integrations/shipping/client.js';
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';
import type { PharmacyOrder } from './pharmacy.js';

export const createShipmentActivities = ({ sql, shipping }: { sql: Sql; shipping: ShippingClient }) => ({
  /**
   * Step 6 for a pharmacy that ships with our label (D38).
   *
   * Safe to retry: the shipping service knows the shipment by its key.
   */
  async createLabel(input: { order: PharmacyOrder; patient: PatientDetails }): Promise<CreatedShipment> {
    const { order, patient } = input;
    const { address } = patient;
    return calling(() =>
      shipping.createShipment(
        {
          reference: order.submissionId,
          pharmacy: order.pharmacy,
          pharmacyOrderId: order.pharmacyOrderId,
          kind: 'label',
          recipient: { name: `${patient.firstName} ${patient.lastName}`, phone: patient.phone, ...address },
        },
        { idempotencyKey: `shipment:${order.submissionId}`, ...callLimits() },
      ),
    );
  },

  /** Opens the shipment's record. Safe to retry: an order has one. */
  async recordShipment(shipment: NewShipment): Promise<void> {
    await openShipment(sql, shipment);
  },
});

export type ShipmentActivities = ReturnType<typeof createShipmentActivities>;
