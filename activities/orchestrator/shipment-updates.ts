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
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';
import { notYet } from './cancellations.js';

/** The shipment after an update, with what a notice of it needs. */
export interface UpdatedShipment {
  shipment: Shipment;
  emrPatientId: string;
  /** Display name. */
  medication: string;
  /** Of an order that was cancelled because it was moved to another pharmacy: nobody is told (D104). */
  isMoved?: boolean;
  /** Why somebody asked for its cancellation. */
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
   * Applies an update to the order's shipment.
   * @throws Unavailable for a cancellation while the order is being moved: what it means is known once that is over
   *
   * Safe to retry: an update is applied once, a repeat changes nothing.
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
   * Makes the shipment of an order that the pharmacy has sent (D39). @returns the carrier, also where the pharmacy named none
   *
   * Safe to retry: the shipping service knows it by its key, and the record keeps the first answer.
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
        // Not the label's key, under which another request may have been made, and its answers lost (D114).
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
