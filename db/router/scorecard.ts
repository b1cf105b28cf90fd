import { pharmacies, type Pharmacy } from '../../domain/pharmacies.js';
import type { Sql } from '../client.js';

/** Over the orders that have the value; null without any. */
interface Spread {
  median: number | null;
  p95: number | null;
}

/** Statistics of a pharmacy for the orders submitted in a window (D102). */
export interface Score {
  pharmacy: Pharmacy;
  /** Includes rejected ones. */
  orders: number;
  rejected: number;
  secondsToAccepted: Spread;
  secondsToShipped: Spread;
  secondsToDelivered: Spread;
  /** Counts by hold code. */
  holds: Record<string, number>;
  /** Lost callbacks that a status query recovered. */
  healedByAsking: number;
}

/** One score for each pharmacy, also without orders. @param window of submission times; `to` is excluded */
export async function scorePharmacies(sql: Sql, { from, to }: { from: Date; to: Date }): Promise<Score[]> {
  const spread = (column: 'accepted_at' | 'shipped_at' | 'delivered_at') => {
    const seconds = sql`extract(epoch from ${sql(column)} - submitted_at)::float8`;
    return sql`
      jsonb_build_object(
        'median', percentile_cont(0.5) within group (order by ${seconds}),
        'p95', percentile_cont(0.95) within group (order by ${seconds})
      )
    `;
  };
  return sql<Score[]>`
    with submitted as (
      select id, pharmacy, outcome, submitted_at, accepted_at, shipped_at, delivered_at
      from router.submission
      where submitted_at >= ${from} and submitted_at < ${to}
    ), held as (
      select pharmacy, hold.code, count(*)::int as holds
      from router.hold
      join submitted on submitted.id = hold.submission_id
      where hold.code is not null
      group by pharmacy, hold.code
    )
    select name as pharmacy, count(submitted.id)::int as orders,
      count(*) filter (where outcome = 'rejected')::int as rejected,
      ${spread('accepted_at')} as seconds_to_accepted,
      ${spread('shipped_at')} as seconds_to_shipped,
      ${spread('delivered_at')} as seconds_to_delivered,
      (select coalesce(jsonb_object_agg(code, holds), '{}') from held where held.pharmacy = name) as holds, (
        select count(*)::int
        from router.webhook_log
        join submitted as healed on healed.id = submission_id
        where webhook_log.healed and healed.pharmacy = name
      ) as healed_by_asking
    from unnest(${[...pharmacies]}::text[]) as name
    left join submitted on submitted.pharmacy = name
    group by name
    order by name
  `;
}
