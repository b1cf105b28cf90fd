import type { UpdateCallback } from '../../domain/callbacks.js';
import { afterUpdate, type OrderProgress, type OrderUpdate } from '../../domain/order-updates.js';
import type { Pharmacy } from '../../domain/pharmacy-routing.js';
import type { Queryable, Sql } from '../client.js';
import { queueCallback } from './callbacks.js';

export interface PharmacyUpdate extends OrderUpdate {
  webhook: 'pharmacy_a' | 'pharmacy_b';
  /** The pharmacies whose orders this webhook speaks of. */
  pharmacies: readonly Pharmacy[];
  pharmacyOrderId: string;
  /** As received. */
  body: string;
}

type Order = OrderProgress & { id: string; sourceOrderId: string; pharmacy: Pharmacy };

/**
 * Applies a pharmacy's webhook to its order: logs it, and where it changes something, records that and queues the
 * callback, all or nothing (D25). Updates of one order take turns on its row.
 * @returns false, with nothing stored, for an order that nobody knows
 */
export const applyPharmacyUpdate = (sql: Sql, update: PharmacyUpdate): Promise<boolean> =>
  sql.begin(async (sql) => {
    const order = await lockOrder(sql, update);
    if (!order) return false;
    const { webhook, body, pharmacyOrderId } = update;
    await sql`
      insert into router.webhook_log (webhook, submission_id, body) values (${webhook}, ${order.id}, ${body})
    `;
    const after = afterUpdate(order, update);
    if (!after) return true;
    await sql`
      update router.submission set
        status = ${after.status}, tracking_number = ${after.trackingNumber}, carrier = ${after.carrier},
        updated_at = now()
      where id = ${order.id}
    `;
    const { id: submissionId, sourceOrderId, pharmacy } = order;
    const { status, ...tracking } = after;
    const payload: UpdateCallback = {
      submissionId,
      sourceOrderId,
      pharmacy,
      status,
      pharmacyOrderId,
      ...tracking,
    };
    await queueCallback(sql, { submissionId, kind: 'update', payload });
    return true;
  });

async function lockOrder(
  sql: Queryable,
  { pharmacies, pharmacyOrderId }: PharmacyUpdate,
): Promise<Order | undefined> {
  const [order] = await sql<Order[]>`
    select id, source_order_id, pharmacy, status, tracking_number, carrier
    from router.submission
    where pharmacy_order_id = ${pharmacyOrderId} and pharmacy = any(${[...pharmacies]})
    order by created_at desc
    limit 1
    for update
  `;
  return order;
}
