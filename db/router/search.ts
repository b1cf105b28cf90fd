import { isUuid, type Queryable } from '../client.js';
import { isOwn } from './own-orders.js';

const maxFound = 20;

export interface FoundOrder {
  id: string;
  source: string;
  sourceOrderId: string;
  isOwn: boolean;
  medicationName: string;
  status: string;
  at: Date;
}

/** Orders by their id, the pharmacy's id or a tracking number, newest first (D134). */
export const searchOrders = (sql: Queryable, q: string) =>
  sql<FoundOrder[]>`
    select id, source, source_order_id, ${isOwn(sql)}, medication_name, status, created_at as at
    from router.submission
    where id = ${isUuid(q) ? q : null}::uuid or pharmacy_order_id = ${q} or tracking_number = ${q}
      or (jsonb_array_length(parcels) > 1 and parcels @> ${sql.json([{ trackingNumber: q }])})
    order by created_at desc
    limit ${maxFound}
  `;
