import { CancellationScope, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type {
  ShipmentUpdateActivities,
  UpdatedShipment,
} from '../../activities/orchestrator/shipment-updates.js';
import { failureTypes } from '../../domain/failures.js';
import type { PharmacyUpdate } from '../../domain/orchestrator/shipments.js';
import { pharmacyUpdateSignal } from '../messages.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { notifying, patientLater } from './proxies.js';

const records = ownTransactions<ShipmentUpdateActivities & LabelActivities>();
// No caller waits: retries for about an hour.
const shipping = ordinary<ShipmentUpdateActivities>({
  startToCloseTimeout: '10 s',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});

/**
 * Records each shipment update, reports it to the shipping service and notifies the patient once per state (D39). The
 * next update starts the workflow again.
 */
export async function followShipment(): Promise<void> {
  const updates: PharmacyUpdate[] = [];
  setHandler(pharmacyUpdateSignal, (update) => void updates.push(update));
  await condition(() => updates.length > 0, '1 minute');
  await CancellationScope.nonCancellable(async () => {
    for (let update = updates.shift(); update; update = updates.shift()) await follow(update);
  });
}

async function follow(update: PharmacyUpdate): Promise<void> {
  const updated = await records(`Record ${update.state}`).recordShipmentUpdate(update);
  // A late update of a delivered or cancelled order is recorded only.
  if (updated.shipment.state !== update.state) return;
  if (update.state === 'cancelled' && updated.isMoved === true) {
    setCurrentDetails('**Cancelled** by the first pharmacy of a moved order. The patient is not notified.');
    return;
  }
  try {
    if (update.state === 'shipped') await announceShipped(update, updated);
    else await announceEnd(update, updated);
    setCurrentDetails(`**${update.state}**, the patient was notified.`);
  } catch (error) {
    setCurrentDetails(`**${update.state}**, but a follow-up failed: ${failureOf(error).message}`);
  }
}

/** Without a tracking number it does nothing; the update that brings one is `shipped` again. */
async function announceShipped(
  update: PharmacyUpdate,
  { shipment, emrPatientId, medication, shipTo }: UpdatedShipment,
) {
  const { trackingNumber, carrier, shipmentId, isFirstOrder } = shipment;
  if (trackingNumber === null) return;
  const patient = await patientLater('Find patient in EMR').fetchPatient({
    emrPatientId,
    isOrdered: true,
    shipTo,
  });
  const { contact } = patient;
  const recipient = { name: contact.name, phone: patient.phone, ...patient.address };
  let sentWith = carrier;
  let failure: unknown;
  if (shipmentId === null) {
    try {
      const request = { update, recipient, trackingNumber, carrier };
      sentWith = (await shipping('Create shipment').createShipment(request)).carrier;
    } catch (error) {
      failure = error; // The patient is notified all the same.
      await reportFailed(update, error);
    }
  }
  await notifying('Notify patient, shipped').notifyPatient({
    type: isFirstOrder ? 'first_shipping_confirmation' : 'shipping_confirmation',
    reference: update.submissionId,
    contact,
    variables: { medication, trackingNumber, carrier: sentWith ?? 'a carrier' },
  });
  if (failure !== undefined) throw failure;
}

/** Opens a work item: the shipping service rejected the shipment, or did not answer for an hour. */
const reportFailed = ({ submissionId, sourceOrderId: reference }: PharmacyUpdate, error: unknown) =>
  records('Open a work item').recordFailedShipment({
    submissionId,
    reference,
    reason: failureOf(error).type === failureTypes.unavailable ? 'unanswered' : 'refused',
  });

async function announceEnd(update: PharmacyUpdate, updated: UpdatedShipment) {
  const { shipment, emrPatientId, medication, cancelReason } = updated;
  const contact = await patientLater('Find patient in EMR').fetchContact({ emrPatientId });
  const { submissionId: reference, sourceOrderId: orderNumber } = update;
  await notifying(`Notify patient, ${update.state}`).notifyPatient(
    update.state === 'delivered'
      ? {
          type: 'delivered',
          reference,
          contact,
          variables: { medication, trackingNumber: shipment.trackingNumber ?? '' },
        }
      : {
          type: 'order_canceled',
          reference,
          contact,
          variables: { orderNumber, reason: cancelReason ?? 'The pharmacy cancelled it' },
        },
  );
}
