import { first, type Queryable } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import {
  findParcel,
  listParcelsToTell,
  listUnrecordedParcels,
  recordParcel,
  type ShippedParcel,
} from './parcels.js';

export interface Shipment {
  submissionId: string;
  taskId: string;
  emrPatientId: string;
  pharmacy: string;
  state: ShipmentState;
  shipmentId: string | null;
  trackingNumber: string | null;
  carrier: string | null;
  /** True if it was the patient's first order to ship; null before it ships. */
  isFirstOrder: boolean | null;
}
type ShipmentState = 'awaiting_pharmacy' | 'label_created' | 'shipped' | 'delivered' | 'cancelled';

export type NewShipment = Pick<Shipment, 'submissionId' | 'taskId' | 'emrPatientId' | 'pharmacy'> & {
  label?: { shipmentId: string; trackingNumber: string; carrier: string } | undefined;
};

/** Opens the shipment of an order: with its label, or waiting for the pharmacy to ship (D38). */
export async function openShipment(sql: Queryable, shipment: NewShipment): Promise<void> {
  const { submissionId, taskId, emrPatientId, pharmacy, label } = shipment;
  await sql`
    insert into orchestrator.shipment
      (submission_id, task_id, emr_patient_id, pharmacy, state, shipment_id, tracking_number, carrier)
    values (
      ${submissionId}, ${taskId}, ${emrPatientId}, ${pharmacy}, ${label ? 'label_created' : 'awaiting_pharmacy'},
      ${label?.shipmentId ?? null}, ${label?.trackingNumber ?? null}, ${label?.carrier ?? null}
    )
    on conflict (submission_id) do update set
      shipment_id = coalesce(shipment.shipment_id, excluded.shipment_id),
      tracking_number = coalesce(shipment.tracking_number, excluded.tracking_number),
      carrier = coalesce(shipment.carrier, excluded.carrier),
      emr_patient_id = coalesce(shipment.emr_patient_id, excluded.emr_patient_id)
  `;
}

export const findShipment = (sql: Queryable, submissionId: string) =>
  first(sql<Shipment[]>`
    select submission_id, task_id, emr_patient_id, pharmacy, state, shipment_id, tracking_number, carrier, is_first_order
    from orchestrator.shipment
    where submission_id = ${submissionId}
  `);

/** Marks that the label of a run with the warning `shipment_failed` exists (D114). */
export async function recordLabelFound(sql: Queryable, runId: string): Promise<void> {
  await sql`update orchestrator.run set settled_at = coalesce(settled_at, now()) where id = ${runId}`;
}

/** The same for the run that holds the order of a reference, if it has the warning. */
export async function recordLabelFoundOf(sql: Queryable, reference: string): Promise<void> {
  await sql`
    update orchestrator.run set settled_at = coalesce(settled_at, now())
    where 'shipment_failed' = any(warnings) and id = (
      select task.run_id
      from orchestrator.order_reference ref
      join orchestrator.task on task.task_id = ref.task_id
      where ref.reference = ${reference}
    )
  `;
}

/** Opens a work item for a shipment that failed for good. Call it in the transaction that records the failure. */
export const reportFailedShipment = (
  sql: Queryable,
  shipment: { submissionId: string; taskId: string; reason: 'refused' | 'unanswered'; workflowId: string },
): Promise<void> => {
  const { submissionId, taskId, reason, workflowId } = shipment;
  return openWorkItem(sql, 'orchestrator', {
    ...failedShipment(submissionId),
    reason,
    references: { taskId, submissionId },
    workflowId,
  });
};

/** Closes it once the shipping service has a record of every parcel. */
export async function closeFailedParcels(sql: Queryable, submissionId: string): Promise<void> {
  if ((await listUnrecordedParcels(sql, submissionId)).length === 0)
    await closeFailedShipment(sql, submissionId);
}

export const closeFailedShipment = (sql: Queryable, submissionId: string): Promise<boolean> =>
  closeWorkItem(sql, 'orchestrator', failedShipment(submissionId));

const failedShipment = (submissionId: string) => ({ kind: 'shipment_failed', fact: submissionId }) as const;

/** Records the patient of a pharmacy's order id. */
export async function recordPharmacyCase(
  sql: Queryable,
  order: { pharmacy: string; pharmacyOrderId: string; emrPatientId: string; submissionId: string },
): Promise<void> {
  await sql`
    insert into orchestrator.pharmacy_case (pharmacy, case_id, emr_patient_id, submission_id)
    values (${order.pharmacy}, ${order.pharmacyOrderId}, ${order.emrPatientId}, ${order.submissionId})
    on conflict (pharmacy, case_id) do nothing
  `;
}

export type ShipmentUpdate = Omit<Shipment, 'state' | 'shipmentId' | 'isFirstOrder'> & {
  state: 'processing' | 'shipped' | 'delivered' | 'cancelled';
};

/** `parcels`: those that the update is about; none without tracking, and for an order that is over. */
export interface UpdatedShipmentRow extends Shipment {
  parcels: ShippedParcel[];
}

/**
 * Applies a pharmacy update. `delivered` and `cancelled` are final; tracking is never removed. A new tracking number is
 * another parcel, unless the order is over (D155); `processing` changes nothing else. The first time an order ships,
 * decides whether it is the patient's first; the lock serializes orders that ship concurrently.
 * @returns the shipment after the update
 */
export async function applyShipmentUpdate(
  sql: Queryable,
  update: ShipmentUpdate,
): Promise<UpdatedShipmentRow> {
  const { submissionId, taskId, emrPatientId, pharmacy, state, trackingNumber, carrier } = update;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shipments of ${emrPatientId}`}, 0))`;
  const before = await first(sql<Pick<Shipment, 'state' | 'trackingNumber'>[]>`
    select state, tracking_number from orchestrator.shipment where submission_id = ${submissionId} for update
  `);
  const isOver = before?.state === 'delivered' || before?.state === 'cancelled';
  const known = trackingNumber === null ? undefined : await findParcel(sql, submissionId, trackingNumber);
  const newestBefore = before?.trackingNumber ?? null;
  const namesOther = newestBefore !== null && trackingNumber !== null && trackingNumber !== newestBefore;
  const isEarlier = known !== undefined && trackingNumber !== newestBefore;
  const replaced = (column: 'tracking_number' | 'carrier') => {
    const [stored, given] = [sql(`shipment.${column}`), sql(`excluded.${column}`)];
    // Of another parcel also the carrier, which the pharmacy may not have named.
    if (namesOther) return isOver || isEarlier ? stored : given;
    return isOver ? sql`coalesce(${stored}, ${given})` : sql`coalesce(${given}, ${stored})`;
  };
  const isReported = state !== 'processing';
  const [shipment] = await sql<[Shipment]>`
    insert into orchestrator.shipment as shipment
      (submission_id, task_id, emr_patient_id, pharmacy, state, tracking_number, carrier, shipped_at, is_first_order)
    values (
      ${submissionId}, ${taskId}, ${emrPatientId}, ${pharmacy}, ${isReported ? state : 'awaiting_pharmacy'},
      ${trackingNumber}, ${carrier},
      ${state === 'shipped' ? sql`now()` : null}, ${state === 'shipped' ? isFirst(sql, update) : null}
    )
    on conflict (submission_id) do update set
      state = case
        when shipment.state in ('delivered', 'cancelled') then shipment.state
        else ${isReported ? sql`excluded.state` : sql`shipment.state`}
      end,
      tracking_number = ${replaced('tracking_number')}, carrier = ${replaced('carrier')},
      emr_patient_id = coalesce(shipment.emr_patient_id, excluded.emr_patient_id),
      shipped_at = coalesce(shipment.shipped_at, case when shipment.state <> 'cancelled' then excluded.shipped_at end),
      is_first_order = coalesce(
        shipment.is_first_order, case when shipment.state <> 'cancelled' then excluded.is_first_order end
      ),
      updated_at = now()
    returning submission_id, task_id, emr_patient_id, pharmacy, state, shipment_id, tracking_number, carrier,
      is_first_order
  `;
  const { trackingNumber: newest, carrier: newestCarrier } = shipment;
  if (isOver || state === 'cancelled' || newest === null) return { ...shipment, parcels: [] };
  const named = isEarlier ? known.trackingNumber : newest;
  if (!isEarlier) await recordParcel(sql, submissionId, { trackingNumber: newest, carrier: newestCarrier });
  return { ...shipment, parcels: await listParcelsToTell(sql, submissionId, named) };
}

const isFirst = (sql: Queryable, { emrPatientId, submissionId }: ShipmentUpdate) => sql`not exists (
  select 1 from orchestrator.shipment
  where emr_patient_id = ${emrPatientId} and shipped_at is not null and submission_id <> ${submissionId}
)`;

/** Fills in the label of the shipping service. */
export async function recordShippedBy(
  sql: Queryable,
  submissionId: string,
  made: { shipmentId: string; trackingNumber: string; carrier: string },
): Promise<void> {
  await sql`
    update orchestrator.shipment set
      shipment_id = coalesce(shipment_id, ${made.shipmentId}),
      tracking_number = coalesce(tracking_number, ${made.trackingNumber}),
      carrier = case
        when coalesce(tracking_number, ${made.trackingNumber}) = ${made.trackingNumber}
        then coalesce(carrier, ${made.carrier}) else carrier
      end,
      updated_at = now()
    where submission_id = ${submissionId}
  `;
}
