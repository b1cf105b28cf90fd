import { type Pharmacy, pharmaciesOf, systemOf } from '../../domain/pharmacies.js';
import type { SubmissionStatus } from '../../domain/router/submission.js';
import type { Queryable } from '../client.js';

/** An order as its pharmacy may bill it. */
export interface ShippedOrder {
  submissionId: string;
  /** Null for an order of another client. */
  source: string | null;
  sourceOrderId: string | null;
  pharmacyOrderId: string;
  status: SubmissionStatus;
  article: string | null;
  shippedAt: Date | null;
}

const shippedAt = (sql: Queryable) => sql`coalesce(shipped_at, delivered_at)`;
const columns = (sql: Queryable, apiKeyId: string) => sql`
  id as submission_id, case when api_key_id = ${apiKeyId} then source end as source,
  case when api_key_id = ${apiKeyId} then source_order_id end as source_order_id, pharmacy_order_id, status, article,
  ${shippedAt(sql)} as shipped_at
`;

/** Lists the orders that a pharmacy shipped in a period for all clients, oldest first, without test orders (D133). */
export const listShippedOrders = (
  sql: Queryable,
  page: {
    apiKeyId: string;
    pharmacy: Pharmacy;
    from: Date;
    to: Date;
    /** The submission of the last entry on the previous page. */
    after: string | undefined;
    limit: number;
  },
) =>
  sql<ShippedOrder[]>`
    select ${columns(sql, page.apiKeyId)}
    from router.submission
    where pharmacy = ${page.pharmacy} and not is_test and pharmacy_order_id is not null
      and ${shippedAt(sql)} >= ${page.from} and ${shippedAt(sql)} < ${page.to}
      ${
        page.after === undefined
          ? sql``
          : sql`and (${shippedAt(sql)}, id) > (
              select ${shippedAt(sql)}, id from router.submission where id = ${page.after}
            )`
      }
    order by ${shippedAt(sql)}, id
    limit ${page.limit}
  `;

/** The orders at a pharmacy's system under its own ids, without test orders. */
export const findBilledOrders = (
  sql: Queryable,
  {
    apiKeyId,
    pharmacy,
    pharmacyOrderIds,
  }: { apiKeyId: string; pharmacy: Pharmacy; pharmacyOrderIds: string[] },
) =>
  sql<ShippedOrder[]>`
    select ${columns(sql, apiKeyId)}
    from router.submission
    where pharmacy_order_id = any(${sql.array(pharmacyOrderIds)}::text[]) and not is_test
      and pharmacy = any(${sql.array(pharmaciesOf(systemOf(pharmacy)))}::text[])
    order by created_at, id
  `;
