import { first, type Queryable } from '../client.js';

/** A parcel of an order, as its pharmacy named it (D155). */
export interface ShippedParcel {
  /** From 1. */
  n: number;
  trackingNumber: string;
  carrier: string | null;
  /** Its record at the shipping service. */
  shipmentId: string | null;
}

/** The first parcel of an order can have our label. */
const columns = (sql: Queryable) => sql`
  parcel.n, parcel.tracking_number, parcel.carrier,
  coalesce(parcel.shipment_id, case when parcel.n = 1 then shipment.shipment_id end) as shipment_id
`;

export const findParcel = (sql: Queryable, submissionId: string, trackingNumber: string) =>
  first(sql<ShippedParcel[]>`
    select ${columns(sql)}
    from orchestrator.parcel
    join orchestrator.shipment using (submission_id)
    where parcel.submission_id = ${submissionId} and parcel.tracking_number = ${trackingNumber}
  `);

/** The parcels that the shipping service has no record of, oldest first. */
export const listUnrecordedParcels = (sql: Queryable, submissionId: string) =>
  sql<ShippedParcel[]>`
    select ${columns(sql)}
    from orchestrator.parcel
    join orchestrator.shipment using (submission_id)
    where parcel.submission_id = ${submissionId} and parcel.shipment_id is null
      and not (n = 1 and shipment.shipment_id is not null)
    order by n
  `;

/**
 * The parcels in the same message to the patient as this one: those named before the order shipped go together (D155).
 * A repeat has the same answer.
 */
export const listParcelsToTell = (sql: Queryable, submissionId: string, trackingNumber: string) =>
  sql<ShippedParcel[]>`
    select ${columns(sql)}
    from orchestrator.parcel
    join orchestrator.shipment using (submission_id)
    join orchestrator.parcel named using (submission_id)
    where parcel.submission_id = ${submissionId} and named.tracking_number = ${trackingNumber}
      and (parcel.n = named.n or (parcel.at <= shipment.shipped_at and named.at <= shipment.shipped_at))
    order by parcel.n
  `;

/** Records a parcel under the next number, once. The caller holds the lock of the patient's shipments. */
export async function recordParcel(
  sql: Queryable,
  submissionId: string,
  { trackingNumber, carrier }: Pick<ShippedParcel, 'trackingNumber' | 'carrier'>,
): Promise<void> {
  await sql`
    insert into orchestrator.parcel (submission_id, n, tracking_number, carrier)
    select ${submissionId}, coalesce(max(n), 0) + 1, ${trackingNumber}, ${carrier}
    from orchestrator.parcel
    where submission_id = ${submissionId}
    on conflict (submission_id, tracking_number) do update set carrier = coalesce(excluded.carrier, parcel.carrier)
  `;
}

/** Fills in the record of the shipping service, and the carrier of the shipment if this is its newest parcel. */
export async function recordParcelShipped(
  sql: Queryable,
  { submissionId, n }: { submissionId: string; n: number },
  made: { shipmentId: string; carrier: string },
): Promise<void> {
  await sql`
    with shipped as (
      update orchestrator.parcel set
        shipment_id = coalesce(shipment_id, ${made.shipmentId}), carrier = coalesce(carrier, ${made.carrier})
      where submission_id = ${submissionId} and n = ${n}
      returning tracking_number
    )
    update orchestrator.shipment set carrier = coalesce(carrier, ${made.carrier})
    from shipped
    where submission_id = ${submissionId} and shipment.tracking_number = shipped.tracking_number
  `;
}
