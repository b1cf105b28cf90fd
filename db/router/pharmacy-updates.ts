import { afterUpdate, type OrderUpdate } from '../../domain/router/order-updates.js';
import type { Pharmacy } from '../../domain/router/pharmacy-routing.js';
import type { Queryable, Sql } from '../client.js';
import { type Order, recordProgress } from './order-progress.js';

export interface PharmacyUpdate extends OrderUpdate {
  webhook: 'pharmacy_a' | 'pharmacy_b' | 'MedicationDispense.completed';
  /** The pharmacies whose orders this webhook speaks of. */
  pharmacies: readonly Pharmacy[];
  /** One of these is the order's; a pharmacy names one, the EMR all it knows. */
  pharmacyOrderIds: readonly string[];
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
    const { webhook, body, eventId = null } = update;
    const { count } = await sql`
      insert into router.webhook_log (webhook, submission_id, body, event_id)
      values (${webhook}, ${order.id}, ${body}, ${eventId})
      on conflict (event_id) do nothing
    `;
    if (count === 0) return true;
    const after = afterUpdate(order, update);
    if (!after) return true;
    await recordProgress(sql, order, after);
    return true;
  });

async function lockOrder(
  sql: Queryable,
  { pharmacies, pharmacyOrderIds }: PharmacyUpdate,
): Promise<Order | undefined> {
  const [order] = await sql<Order[]>`
    select id, source_order_id, pharmacy, pharmacy_order_id, status, tracking_number, carrier
    from router.submission
    where pharmacy_order_id = any(${[...pharmacyOrderIds]}) and pharmacy = any(${[...pharmacies]})
    order by created_at desc
    limit 1
    for update
  `;
  return order;
}
