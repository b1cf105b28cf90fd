import type { PharmacyUpdate } from '../../domain/orchestrator/shipments.js';
import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findReportedOrder } from '../../db/orchestrator/orders.js';
import {
  applyShipmentUpdate,
  closeFailedShipment,
  recordShippedBy,
  type Shipment,
} from '../../db/orchestrator/shipments.js';
import type { ShippingClient } from '../../integrations/shipping/client.js';
import { calling, callLimits } from '../calls.js';
import { notYet } from './cancellations.js';

/** The updated shipment, with the data that a notice needs. */
export interface UpdatedShipment {
  shipment: Shipment;
  emrPatientId: string;
  medication: string;
  /** The order was cancelled by a reroute, so the patient is not notified (D104). */
  isMoved?: boolean;
  /** The reason in the cancellation request. */
  cancelReason?: string | null;
}

export const createShipmentUpdateActivities = ({
  sql,
  shipping,
}: {
  sql: Sql;
  shipping: ShippingClient;
}) => ({
  /**
   * Applies an update to the order's shipment. Safe to retry: an update is applied once.
   * @throws Unavailable for a cancellation during a reroute, which decides what it means
   */
  async recordShipmentUpdate(update: PharmacyUpdate): Promise<UpdatedShipment> {
    const order = await findReportedOrder(sql, update.sourceOrderId);
    if (!order) throw new Error('The order of a shipment has no run');
    const { emrPatientId, medication: key, isMoving, isMoved, cancelReason } = order;
    if (update.state === 'cancelled' && isMoving && !isMoved)
      throw notYet('The order is being moved to another pharmacy');
    const { submissionId, sourceOrderId: taskId, pharmacy, state, trackingNumber, carrier } = update;
    const shipment = await sql.begin((sql) =>
      applyShipmentUpdate(sql, {
        submissionId,
        taskId,
        emrPatientId,
        pharmacy,
        state,
        trackingNumber,
        carrier,
      }),
    );
    const config = await findMedicationConfig(sql, key);
    return { shipment, emrPatientId, medication: config?.displayName ?? key, isMoved, cancelReason };
  },

  /**
   * Creates the shipment of an order that the pharmacy sent (D39). Safe to retry: the shipping service identifies it
   * by its key, and the record keeps the first answer.
   * @returns the carrier, even if the pharmacy named none
   */
  async createShipment(input: {
    update: PharmacyUpdate;
    recipient: {
      name: string;
      phone: string;
      line1: string;
      line2?: string;
      city: string;
      state: string;
      zip: string;
    };
    trackingNumber: string;
    carrier: string | null;
  }): Promise<{ carrier: string }> {
    const { update, recipient, trackingNumber, carrier } = input;
    const { submissionId, pharmacy, pharmacyOrderId } = update;
    const made = await calling(() =>
      shipping.createShipment(
        {
          reference: submissionId,
          pharmacy,
          pharmacyOrderId,
          kind: 'tracking',
          recipient,
          trackingNumber,
          ...(carrier === null ? {} : { carrier }),
        },
        // Not the label's key: a label may have been created under it with its response lost (D114).
        { idempotencyKey: `tracking:${submissionId}`, ...callLimits() },
      ),
    );
    await sql.begin(async (sql) => {
      await recordShippedBy(sql, submissionId, made);
      await closeFailedShipment(sql, submissionId);
    });
    return { carrier: made.carrier };
  },
});

export type ShipmentUpdateActivities = ReturnType<typeof createShipmentUpdateActivities>;
