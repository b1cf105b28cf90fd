import { afterUpdate, type OrderUpdate } from '../../domain/router/order-updates.js';
import { keyOfOrder } from '../../domain/clients.js';
import { type ReportedHold, takesNoHolds } from '../../domain/router/holds.js';
import type { Pharmacy, PharmacySystem } from '../../domain/pharmacies.js';
import { isOwnOrder } from '../../domain/router/submission.js';
import { orderShippedAfterCancel, type ShippedAfterCancel } from '../../domain/events.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { openHold, releaseHold, releaseUnanswered } from './holds.js';
import { requestLook } from './looks.js';
import { recordContact } from './silence.js';
import { type Order, recordProgress } from './order-progress.js';

export interface PharmacyUpdate extends OrderUpdate {
  webhook: PharmacySystem | 'MedicationDispense.completed';
  /** The pharmacies that use this webhook. */
  pharmacies: readonly Pharmacy[];
  /** Test and live orders may share ids; undefined when the sender covers both. */
  isTest?: boolean | undefined;
  /** A pharmacy sends one id, the EMR all that it knows. */
  pharmacyOrderIds: readonly string[];
  /** A new hold, the id of a released one, or none at all. */
  hold?: { opened: ReportedHold } | { released: string } | { none: true };
  /** Set for the answer to a status query: when we sent it. Updates that arrived later are newer. */
  askedAt?: Date;
  /** A report that we asked for, of an order whose outcome was unknown. */
  isFound?: true;
  /** The queried pharmacy does not know the order, so it is looked for (D138). */
  isUnknown?: boolean;
  /** The webhook's body, unchanged. */
  body: string;
  /** The id of the event that carried it; a repeat changes and logs nothing. */
  eventId?: string;
}

/**
 * Logs a pharmacy's webhook and applies it to its order in one transaction (D25). The order's row lock serializes
 * updates.
 * @returns false, with nothing stored, when no such order exists
 */
export const applyPharmacyUpdate = (sql: Sql, update: PharmacyUpdate): Promise<boolean> =>
  sql.begin((sql) => applyUpdate(sql, update));

/** {@link applyPharmacyUpdate} within a transaction. */
export async function applyUpdate(sql: Queryable, update: PharmacyUpdate): Promise<boolean> {
  const order = await lockOrder(sql, update);
  if (!order) return false;
  const { webhook, body, eventId = null, askedAt } = update;
  const source = askedAt || update.isFound ? 'asked' : 'webhook';
  const { count } = await sql`
    insert into router.webhook_log (webhook, submission_id, body, event_id, source)
    values (${webhook}, ${order.id}, ${body}, ${eventId}, ${source})
    on conflict (event_id) do nothing
  `;
  if (count === 0) return true;
  const isOutdated = askedAt !== undefined && order.heardAt > askedAt;
  // An update from the EMR does not count as contact with the pharmacy.
  if (eventId === null) await recordContact(sql, order.id);
  if (isOutdated) return true;
  if (update.isUnknown === true) {
    await requestLook(sql, order.id);
    return true;
  }
  // An update of an order that was missing shows that the pharmacy has it (D138).
  const { trackingNumber, carrier, parcels } = order;
  const found =
    order.status === 'failed'
      ? { status: 'submitted' as const, trackingNumber, carrier, parcels }
      : undefined;
  const after = afterUpdate(found ?? order, update, order.now.toISOString()) ?? found;
  if (after) await recordProgress(sql, order, after);
  if (order.status === 'cancelled' && (update.status === 'shipped' || update.status === 'delivered'))
    await reportShipped(sql, order, update.status);
  const isNewHold = update.hold !== undefined && (await applyHold(sql, { ...order, ...after }, update.hold));
  if (askedAt && (after || isNewHold)) await noteHealed(sql, order.id);
  return true;
}

/** @returns whether it changed something */
async function applyHold(
  sql: Queryable,
  { id: submissionId, status }: Order,
  hold: NonNullable<PharmacyUpdate['hold']>,
): Promise<boolean> {
  if ('opened' in hold) return !takesNoHolds(status) && openHold(sql, submissionId, hold.opened);
  if ('none' in hold) return releaseUnanswered(sql, submissionId);
  await releaseHold(sql, { submissionId, holdId: hold.released });
  return true;
}

/** Marks that the last logged answer changed something. */
const noteHealed = (sql: Queryable, submissionId: string) => sql`
  update router.webhook_log set healed = true
  where id = (select max(id) from router.webhook_log where submission_id = ${submissionId})
`;

/** The pharmacy sent an order of ours that it had cancelled: the orchestrator opens a work item (D155). */
async function reportShipped(
  sql: Queryable,
  { id: submissionId, sourceOrderId }: Order,
  status: ShippedAfterCancel['status'],
): Promise<void> {
  const [owner] = await sql<[{ source: string; isOwn: boolean }]>`
    select source, is_own
    from router.submission
    join access.api_key on api_key.id = submission.api_key_id
    where submission.id = ${submissionId}
  `;
  if (!isOwnOrder(owner)) return;
  const key = keyOfOrder({ source: owner.source, sourceOrderId });
  const detail = { submissionId, sourceOrderId: key, status } satisfies ShippedAfterCancel;
  await publishEvent(sql, 'router', {
    detailType: orderShippedAfterCancel,
    aggregateId: submissionId,
    detail,
  });
}

type LockedOrder = Order & { heardAt: Date; now: Date };

const lockOrder = (sql: Queryable, { pharmacies, pharmacyOrderIds, isTest }: PharmacyUpdate) =>
  first(sql<LockedOrder[]>`
    select id, source_order_id, pharmacy, pharmacy_order_id, status, tracking_number, carrier, parcels, heard_at,
      now() as now
    from router.submission
    where pharmacy_order_id = any(${[...pharmacyOrderIds]}) and pharmacy = any(${[...pharmacies]})
      ${isTest === undefined ? sql`` : sql`and is_test = ${isTest}`}
    order by created_at desc
    limit 1
    for update
  `);
