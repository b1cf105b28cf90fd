import { clinicCancelledText } from '../../domain/orchestrator/cancellation.js';
import type { PharmacyUpdate } from '../../domain/orchestrator/shipments.js';
import type { NewEvent } from '../../domain/orchestrator/events.js';
import type { Sql } from '../../db/client.js';
import { recordEvent } from '../../db/orchestrator/events.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findReportedOrder } from '../../db/orchestrator/orders.js';
import { reportShippedAfterCancel } from '../../db/orchestrator/shipped-after-cancel.js';
import {
  applyShipmentUpdate,
  closeFailedParcels,
  recordLabelFoundOf,
  recordShippedBy,
  type Shipment,
} from '../../db/orchestrator/shipments.js';
import { recordParcelShipped, type ShippedParcel } from '../../db/orchestrator/parcels.js';
import { usesOurLabel } from '../../domain/pharmacies.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import type { CreatedShipment, Recipient, ShippingClient } from '../../integrations/shipping/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { calling, callLimits } from '../calls.js';
import { notYet } from './cancellations.js';
import type { PharmacyOrder } from './pharmacy.js';
import { requestLabel } from './shipments.js';

/** The updated shipment, with the data that a notice needs. */
export interface UpdatedShipment {
  shipment: Shipment;
  /** The parcels to tell the patient of (D155). */
  parcels: ShippedParcel[];
  emrPatientId: string;
  medication: string;
  /** The order was cancelled by a reroute, so the patient is not notified (D104). */
  isMoved?: boolean;
  /** The reason in the cancellation request; null if the pharmacy cancelled by itself. */
  cancelReason?: string | null;
}

export const createShipmentUpdateActivities = ({
  sql,
  shipping,
  orders,
}: {
  sql: Sql;
  shipping: ShippingClient;
  orders: Pick<OrderClient, 'readCancellation'>;
}) => ({
  /**
   * Applies an update to the order's shipment, and reports a shipment after a cancellation (D155). Safe to retry: an
   * update is applied once.
   * @throws Unavailable for a cancellation during a reroute, which decides what it means
   */
  async recordShipmentUpdate(update: PharmacyUpdate): Promise<UpdatedShipment> {
    const order = await findReportedOrder(sql, update.sourceOrderId);
    if (!order) throw new Error('The order of a shipment has no run');
    const { emrPatientId, medication: key, isMoving, isMoved } = order;
    if (update.state === 'cancelled' && isMoving && !isMoved)
      throw notYet('The order is being moved to another pharmacy');
    const { submissionId, sourceOrderId: taskId, pharmacy, state, trackingNumber, carrier } = update;
    const changed = { submissionId, taskId, emrPatientId, pharmacy, state, trackingNumber, carrier };
    const { parcels, ...shipment } = await sql.begin(async (sql) => {
      const updated = await applyShipmentUpdate(sql, changed);
      if (updated.state === state) await recordEvent(sql, shipmentEvent(updated, taskId));
      const isReturned = updated.state === 'cancelled' || order.isFreed;
      if (isReturned && (state === 'shipped' || state === 'delivered'))
        await reportShippedAfterCancel(sql, { ...update, taskId: order.taskId, status: state });
      return updated;
    });
    const config = await findMedicationConfig(sql, key);
    const medication = config?.displayName ?? key;
    const needsReason = state === 'cancelled' && !isMoved && order.cancelReason === null;
    const cancelReason = needsReason ? await requestedReason(orders, submissionId) : order.cancelReason;
    return { shipment, parcels, emrPatientId, medication, isMoved, cancelReason };
  },

  /**
   * Creates the shipment of a parcel that the pharmacy sent (D39, D155). If the order's label is in doubt, its request is
   * repeated first, since one parcel has one record at the shipping service (D115). Safe to retry: the shipping service
   * identifies both by their keys, and the record keeps the first answer.
   * @returns the carrier, even if the pharmacy named none
   */
  async createShipment(input: {
    update: PharmacyUpdate;
    recipient: Recipient;
    parcel: Omit<ShippedParcel, 'shipmentId'>;
  }): Promise<{ carrier: string }> {
    const { update, recipient, parcel } = input;
    const { n, trackingNumber, carrier } = parcel;
    const { submissionId, pharmacy, pharmacyOrderId } = update;
    const order = { submissionId, pharmacy, pharmacyOrderId };
    const label =
      n === 1 && usesOurLabel(pharmacy)
        ? await calling(() => findLabel(shipping, order, recipient))
        : undefined;
    const made =
      label ??
      (await calling(() =>
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
          { idempotencyKey: trackingKey(submissionId, n), ...callLimits() },
        ),
      ));
    await sql.begin(async (sql) => {
      if (n === 1) await recordShippedBy(sql, submissionId, made);
      await recordParcelShipped(sql, { submissionId, n }, made);
      if (label) await recordLabelFoundOf(sql, update.sourceOrderId);
      await closeFailedParcels(sql, submissionId);
    });
    return { carrier: carrier ?? made.carrier };
  },
});

/** A person may have asked the router itself, by the answer to a work item of the router. */
async function requestedReason(
  orders: Pick<OrderClient, 'readCancellation'>,
  submissionId: string,
): Promise<string | null> {
  const { state } = await calling(() => orders.readCancellation(submissionId, callLimits()));
  return state === 'approved' ? clinicCancelledText : null;
}

/** An order ships, arrives and is cancelled once. */
function shipmentEvent(
  { submissionId, pharmacy, state, trackingNumber, carrier }: Shipment,
  reference: string,
): NewEvent {
  const about = { taskId: reference, fact: `order.${state} ${submissionId}` };
  if (state === 'cancelled')
    return { type: 'order.cancelled', ...about, data: { submissionId, pharmacy, reference } };
  const type = state === 'delivered' ? 'order.delivered' : 'order.shipped';
  return { type, ...about, data: { submissionId, trackingNumber, carrier } };
}

/** The first parcel has the key of its order (D39). */
const trackingKey = (submissionId: string, n: number): string =>
  n === 1 ? `tracking:${submissionId}` : `tracking:${submissionId}:${n}`;

/**
 * Repeats the request for the label of an order.
 * @returns undefined if the shipping service rejects it, so that there is no label
 * @throws OutboundError without an answer, or if a label exists for another address
 */
async function findLabel(
  shipping: ShippingClient,
  order: PharmacyOrder,
  recipient: Recipient,
): Promise<CreatedShipment | undefined> {
  try {
    return await requestLabel(shipping, order, recipient);
  } catch (error) {
    if (!(error instanceof OutboundError) || error.fault.kind !== 'status') throw error;
    if (!error.isFinal || error.fault.status === keyInUse) throw error;
    return undefined;
  }
}

/** The shipping service's status for a known key with another request. */
const keyInUse = 409;

export type ShipmentUpdateActivities = ReturnType<typeof createShipmentUpdateActivities>;
