import { CancellationScope, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import type {
  ShipmentUpdateActivities,
  UpdatedShipment,
} from '../../activities/orchestrator/shipment-updates.js';
import { failureTypes } from '../../domain/failures.js';
import type { PharmacyUpdate } from '../../domain/orchestrator/shipments.js';
import { contactOf } from '../../domain/orderable-patient.js';
import { pharmacyUpdateSignal } from '../messages.js';
import { notifying } from './notifying.js';
import { failureOf, localFirst, ordinary, ownTransactions } from '../proxies.js';

const records = ownTransactions<ShipmentUpdateActivities & LabelActivities>();
// What follows an update is best effort, but nobody waits for it: an hour of faults is overcome.
const reads = localFirst<PatientActivities>({
  startToCloseTimeout: '5 s',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});
const shipping = ordinary<ShipmentUpdateActivities>({
  startToCloseTimeout: '10 s',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});

/**
 * Follows an order's shipment: each update is recorded, made known to the shipping service, and told to the patient
 * once per state (D39). Ends when there is nothing left to do; the next update starts it again.
 */
export async function followShipment(): Promise<void> {
  const updates: PharmacyUpdate[] = [];
  setHandler(pharmacyUpdateSignal, (update) => void updates.push(update));
  // A started run without its signal yet has nothing to do but wait for it.
  await condition(() => updates.length > 0, '1 minute');
  await CancellationScope.nonCancellable(async () => {
    for (let update = updates.shift(); update; update = updates.shift()) await follow(update);
  });
}

async function follow(update: PharmacyUpdate): Promise<void> {
  const updated = await records(`Record ${update.state}`).recordShipmentUpdate(update);
  // A late word on an order that is delivered or cancelled is kept and told to nobody.
  if (updated.shipment.state !== update.state) return;
  if (update.state === 'cancelled' && updated.isMoved === true) {
    setCurrentDetails('**Given back** by the pharmacy: another one has the order, and nobody is told.');
    return;
  }
  try {
    if (update.state === 'shipped') await announceShipped(update, updated);
    else await announceEnd(update, updated);
    setCurrentDetails(`**${update.state}**, the patient was told.`);
  } catch (error) {
    setCurrentDetails(
      `**${update.state}**, but not all that follows could be done: ${failureOf(error).message}`,
    );
  }
}

/** Without tracking there is nothing to tell yet; the update that brings it comes as `shipped` again. */
async function announceShipped(
  update: PharmacyUpdate,
  { shipment, emrPatientId, medication }: UpdatedShipment,
) {
  const { trackingNumber, carrier, shipmentId, isFirstOrder } = shipment;
  if (trackingNumber === null) return;
  const patient = await reads('Find patient in EMR').fetchPatient({ emrPatientId, isOrdered: true });
  const contact = contactOf(patient);
  const recipient = { name: contact.name, phone: patient.phone, ...patient.address };
  let sentWith = carrier;
  let failure: unknown;
  if (shipmentId === null) {
    try {
      const made = await shipping('Create shipment').createShipment({
        update,
        recipient,
        trackingNumber,
        carrier,
      });
      sentWith = made.carrier;
    } catch (error) {
      failure = error; // It keeps nothing from the patient.
      await reportFailed(update, error);
    }
  }
  await notifying('Tell the patient it has shipped').notifyPatient({
    type: isFirstOrder ? 'first_shipping_confirmation' : 'shipping_confirmation',
    reference: update.submissionId,
    contact,
    variables: { medication, trackingNumber, carrier: sentWith ?? 'a carrier' },
  });
  if (failure !== undefined) throw failure;
}

/** The shipping service was asked for an hour, or has refused: a person decides what becomes of it. */
const reportFailed = ({ submissionId, sourceOrderId: reference }: PharmacyUpdate, error: unknown) =>
  records('Have a person see to it').recordFailedShipment({
    submissionId,
    reference,
    reason: failureOf(error).type === failureTypes.unavailable ? 'unanswered' : 'refused',
  });

async function announceEnd(update: PharmacyUpdate, updated: UpdatedShipment) {
  const { shipment, emrPatientId, medication, cancelReason } = updated;
  const contact = await reads('Find patient in EMR').fetchContact({ emrPatientId });
  const { submissionId: reference, sourceOrderId: orderNumber } = update;
  await notifying(`Tell the patient it is ${update.state}`).notifyPatient(
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
