import type { TimelineEntry } from '../../domain/timeline.js';
import type { Queryable } from '../client.js';

interface Row extends Pick<TimelineEntry, 'kind' | 'text' | 'state'> {
  at: Date;
}

/**
 * The events of a client's orders (D111). Contains only codes and our own words: texts of pharmacies and clients may
 * name a person.
 * @param references the client's own; `source`: only orders of that source
 */
export const listOrderEvents = (
  sql: Queryable,
  {
    apiKeyId,
    references,
    source,
  }: { apiKeyId: string; references: readonly string[]; source?: string | undefined },
) =>
  sql<Row[]>`
    with own as (
      select * from router.submission
      where api_key_id = ${apiKeyId} and source_order_id = any(${sql.array([...references])})
        ${source === undefined ? sql`` : sql`and source = ${source}`}
    )
    select created_at as at, 'order' as kind, 'Order ' || id || ' for ' || pharmacy as text, status as state from own
    union all
    select accepted_at, 'pharmacy', pharmacy || ' has taken the order', 'submitted' from own where accepted_at is not null
    union all
    select callback.created_at, 'pharmacy',
      pharmacy || case payload::jsonb ->> 'status'
        when 'failed' then ' does not have the order' else ' says ' || (payload::jsonb ->> 'status') end,
      payload::jsonb ->> 'status'
    from own join router.callback on submission_id = own.id
    where kind = 'update'
    union all
    select opened_at, 'hold', pharmacy || ' asks: ' || code, hold.state
    from own join router.hold on submission_id = own.id
    where code is not null
    union all
    select answered_at, 'hold', 'The hold ' || code || ' was answered: ' || answer || coalesce(' (' || (
        select string_agg(field, ', ' order by field) from jsonb_object_keys(changes) as field
      ) || case when once_only then ', this order only)' else ')' end, ''), hold.state
    from own join router.hold on submission_id = own.id
    where answered_at is not null and code is not null
    union all
    select coalesce(first_attempt_at, callback.created_at), 'callback',
      'Callback of kind ' || kind || ', ' || attempts || case attempts when 1 then ' attempt' else ' attempts' end, state
    from own join router.callback on submission_id = own.id
    union all
    select requested_at, 'cancellation', pharmacy || ' was asked to cancel' || coalesce(', denied: ' || reason, ''), state
    from own join router.cancellation on submission_id = own.id
    order by at
  `;
