import { afterUpdate, type OrderUpdate } from '../../domain/router/order-updates.js';
import type { ReportedHold } from '../../domain/router/holds.js';
import type { Pharmacy, PharmacySystem } from '../../domain/pharmacies.js';
import { first, type Queryable, type Sql } from '../client.js';
import { openHold, releaseHold, releaseUnanswered } from './holds.js';
import { noteHeard } from './silence.js';
import { type Order, recordProgress, takesNoHolds } from './order-progress.js';

export interface PharmacyUpdate extends OrderUpdate {
  webhook: PharmacySystem | 'MedicationDispense.completed';
  /** The pharmacies whose orders this webhook speaks of. */
  pharmacies: readonly Pharmacy[];
  /** Of test orders or of live ones, whose ids may be the same; undefined where who tells may mean either. */
  isTest?: boolean | undefined;
  /** One of these is the order's; a pharmacy names one, the EMR all it knows. */
  pharmacyOrderIds: readonly string[];
  /** A question of the pharmacy, the id of one that it releases, or that it asks nothing. */
  hold?: { opened: ReportedHold } | { released: string } | { none: true };
  /** Of an answer to a question of ours: when it was asked. What has come by itself since then is newer. */
  askedAt?: Date;
  /** The webhook's body as it came. */
  body: string;
  /** The id of the event that brought it, if one did: the same event again changes and logs nothing. */
  eventId?: string;
}

/**
 * Applies a pharmacy's webhook to its order: logs it, and where it changes something, records that and queues the
 * callback, all or nothing (D25). Updates of one order take turns on its row.
 * @returns false, with nothing stored, for an order that nobody knows
 */
export const applyPharmacyUpdate = (sql: Sql, update: PharmacyUpdate): Promise<boolean> =>
  sql.begin(async (sql) => {
    const order = await lockOrder(sql, update);
    if (!order) return false;
    const { webhook, body, eventId = null, askedAt } = update;
    const { count } = await sql`
      insert into router.webhook_log (webhook, submission_id, body, event_id, source)
      values (${webhook}, ${order.id}, ${body}, ${eventId}, ${askedAt ? 'asked' : 'webhook'})
      on conflict (event_id) do nothing
    `;
    if (count === 0) return true;
    const isOutdated = askedAt !== undefined && order.heardAt > askedAt;
    // The EMR's word is not the pharmacy's.
    if (eventId === null) await noteHeard(sql, order.id);
    if (isOutdated) return true;
    const after = afterUpdate(order, update);
    if (after) await recordProgress(sql, order, after);
    const isNewHold =
      update.hold !== undefined && (await applyHold(sql, { ...order, ...after }, update.hold));
    if (askedAt && (after || isNewHold)) await noteHealed(sql, order.id);
    return true;
  });

/** @returns whether it is news */
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

/** Notes that the answer which was just logged was news. */
const noteHealed = (sql: Queryable, submissionId: string) => sql`
  update router.webhook_log set healed = true
  where id = (select max(id) from router.webhook_log where submission_id = ${submissionId})
`;

const lockOrder = (
  sql: Queryable,
  { pharmacies, pharmacyOrderIds, isTest }: PharmacyUpdate,
): Promise<(Order & { heardAt: Date }) | undefined> =>
  first(sql<(Order & { heardAt: Date })[]>`
    select id, source_order_id, pharmacy, pharmacy_order_id, status, tracking_number, carrier, heard_at
    from router.submission
    where pharmacy_order_id = any(${[...pharmacyOrderIds]}) and pharmacy = any(${[...pharmacies]})
      ${isTest === undefined ? sql`` : sql`and is_test = ${isTest}`}
    order by created_at desc
    limit 1
    for update
  `);
