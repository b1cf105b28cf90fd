import { CancellationScope, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { ReplacementActivities } from '../../activities/orchestrator/replacements.js';
import type {
  ShipmentUpdateActivities,
  UpdatedShipment,
} from '../../activities/orchestrator/shipment-updates.js';
import { failureTypes } from '../../domain/failures.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import { parcelReference } from '../../domain/orchestrator/notices.js';
import type { PharmacyUpdate } from '../../domain/orchestrator/shipments.js';
import { pharmacyUpdateSignal } from '../messages.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { notifying, patientLater } from './proxies.js';

const records = ownTransactions<ShipmentUpdateActivities & LabelActivities>();
// No caller waits: retries for about an hour.
const shipping = ordinary<ShipmentUpdateActivities & ReplacementActivities>({
  startToCloseTimeout: '10 s',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});

/**
 * Records each shipment update, reports it to the shipping service and notifies the patient once per state (D39) and
 * parcel (D155). The next update starts the workflow again.
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
  const { state } = updated.shipment;
  // A late update of a delivered or cancelled order is recorded only, and so is a parcel that has not left yet.
  if (state !== (update.state === 'processing' ? 'shipped' : update.state)) return;
  if (update.state === 'cancelled' && updated.isMoved === true) {
    setCurrentDetails('**Cancelled** by the first pharmacy of a moved order. The patient is not notified.');
    return;
  }
  try {
    if (state === 'shipped') await announceShipped(update, updated);
    else await announceEnd(update, updated);
    setCurrentDetails(`**${state}**, the patient was notified.`);
  } catch (error) {
    setCurrentDetails(`**${state}**, but a follow-up failed: ${failureOf(error).message}`);
  }
}

/**
 * Records and announces one parcel after the other, so that no message waits for a later parcel. Without a parcel it does
 * nothing; the update that brings its tracking number is `shipped` again.
 */
async function announceShipped(update: PharmacyUpdate, updated: UpdatedShipment) {
  const { parcels, emrPatientId } = updated;
  const failures: unknown[] = [];
  let contact: Promise<PatientContact> | undefined;
  for (const parcel of parcels) {
    let sent = parcel;
    try {
      sent = await recordParcel(update, parcel);
    } catch (error) {
      failures.push(error); // The patient is notified all the same.
      await reportFailed(update, error);
    }
    try {
      contact ??= patientLater('Find patient in EMR').fetchContact({ emrPatientId });
      await notifyOf(sent, updated, await contact);
    } catch (error) {
      failures.push(error); // The next parcel is recorded all the same.
    }
  }
  if (failures.length > 0) throw failures[0];
}

type Parcel = UpdatedShipment['parcels'][number];

const notifyOf = (
  { n, trackingNumber, carrier }: Parcel,
  { shipment: { submissionId, isFirstOrder }, medication }: UpdatedShipment,
  contact: PatientContact,
): Promise<void> => {
  const variables = { medication, trackingNumber, carrier: carrier ?? 'a carrier' };
  return notifying(n === 1 ? 'Notify patient, shipped' : `Notify patient, parcel ${n}`).notifyPatient(
    n === 1
      ? {
          type: isFirstOrder ? 'first_shipping_confirmation' : 'shipping_confirmation',
          reference: submissionId,
          contact,
          variables,
        }
      : {
          type: 'shipping_update',
          reference: parcelReference(submissionId, n),
          contact,
          variables: { ...variables, status: 'another parcel is on its way' },
        },
  );
};

/** Creates the shipment of a parcel at the address that was ordered, unless there is one. @returns it with its carrier */
async function recordParcel(update: PharmacyUpdate, parcel: Parcel): Promise<Parcel> {
  const { shipmentId, ...sent } = parcel;
  if (shipmentId !== null) return parcel;
  const { submissionId } = update;
  const recipient = await shipping('Read the address').readRecipient({ submissionId });
  const { carrier } = await shipping('Create shipment').createShipment({ update, recipient, parcel: sent });
  return { ...parcel, carrier };
}

/** Opens a work item: a parcel's shipment was rejected, or a service did not answer for an hour. */
const reportFailed = ({ submissionId, sourceOrderId: reference }: PharmacyUpdate, error: unknown) => {
  const { type } = failureOf(error);
  const isUnanswered = type === failureTypes.unavailable || type === failureTypes.ownOutage;
  return records('Open a work item').recordFailedShipment({
    submissionId,
    reference,
    reason: isUnanswered ? 'unanswered' : 'refused',
  });
};

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
          variables: { medication, trackingNumber: shipment.trackingNumber ?? 'not known' },
        }
      : {
          type: 'order_canceled',
          reference,
          contact,
          variables: { orderNumber, reason: cancelReason ?? 'The pharmacy cancelled it' },
        },
  );
}
