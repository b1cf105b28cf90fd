import type { JSONValue } from 'postgres';
import { consumersOf } from '../domain/events.js';
import type { Queryable } from './client.js';

export interface OutboxEvent {
  detailType: string;
  /** Events of one aggregate are shipped in the order of insertion. */
  aggregateId: string;
  organizationId?: string | null;
  detail: JSONValue;
}

export interface OutboxEntry extends OutboxEvent {
  /** The event's id and idempotency token. */
  id: string;
  source: string;
  organizationId: string | null;
  time: Date;
}

/** The channel on which a service's relays listen; also the name of the lock that the shipping relay holds. */
export const outboxChannel = (schema: string): string => `${schema}_outbox`;

/** Attempts per row; with the pauses between them they take about an hour. */
const maxAttempts = 20;
const longestPauseSeconds = 300;

/**
 * Adds an event to a service's outbox in the transaction of its change, and wakes the relay at commit. The caller
 * holds a lock of the aggregate, which orders its events.
 */
export async function appendToOutbox(sql: Queryable, schema: string, event: OutboxEvent): Promise<void> {
  const { detailType, aggregateId, organizationId = null, detail } = event;
  await sql`
    with entry as (
      insert into ${sql(`${schema}.outbox`)} (source, detail_type, aggregate_id, organization_id, detail)
      values (${schema}, ${detailType}, ${aggregateId}, ${organizationId}, ${sql.json(detail)})
      returning id
    )
    select pg_notify(${outboxChannel(schema)}, '') from entry
  `;
}

/** Like {@link appendToOutbox}, for all consumers of the event (domain/events.ts). @returns the event's id */
export async function publishEvent(sql: Queryable, schema: string, event: OutboxEvent): Promise<string> {
  const { detailType, aggregateId, organizationId = null, detail } = event;
  const [row] = await sql<[{ id: string }]>`
    with entry as (
      insert into ${sql(`${schema}.outbox`)} (source, detail_type, aggregate_id, organization_id, detail)
      values (${schema}, ${detailType}, ${aggregateId}, ${organizationId}, ${sql.json(detail)})
      returning id, sequence
    ), delivery as (
      insert into ${sql(`${schema}.event_delivery`)} (event_id, consumer, aggregate_id, sequence)
      select entry.id, consumer, ${aggregateId}, entry.sequence
      from entry, unnest(${consumersOf({ source: schema, detailType })}::text[]) as consumer
    )
    select id, pg_notify(${outboxChannel(schema)}, '') from entry
  `;
  return row.id;
}

/**
 * The next entries to ship, at most one per aggregate. Skips aggregates with an earlier unshipped entry, pending or
 * dead. Reads the state instead of a last number, because transactions may commit late.
 */
export async function claimEntries(sql: Queryable, schema: string, limit: number): Promise<OutboxEntry[]> {
  const outbox = sql(`${schema}.outbox`);
  return sql<OutboxEntry[]>`
    select id, source, detail_type, aggregate_id, organization_id, detail, time
    from ${outbox} as entry
    where shipped_at is null and dead_at is null and retry_at <= now()
      and not exists (
        select from ${outbox} as earlier
        where earlier.aggregate_id = entry.aggregate_id and earlier.sequence < entry.sequence
          and earlier.shipped_at is null
        -- Keeps the lookup one per entry: as a join it reads the whole backlog for each, as long as statistics say
        -- that there is none.
        offset 0
      )
    order by sequence
    limit ${limit}
    for update skip locked
  `;
}

export async function markShipped(sql: Queryable, schema: string, ids: readonly string[]): Promise<void> {
  await sql`
    update ${sql(`${schema}.outbox`)} set shipped_at = now(), attempts = attempts + 1, last_error = null
    where id = any(${[...ids]}::uuid[])
  `;
}

/** Schedules the retry of an entry after a growing pause; after the last attempt the entry is dead. */
export async function markFailed(sql: Queryable, schema: string, id: string, error: string): Promise<void> {
  await sql`
    update ${sql(`${schema}.outbox`)} set
      attempts = attempts + 1, last_error = ${error},
      retry_at = now() + least(power(2, attempts), ${longestPauseSeconds}) * interval '1 second',
      dead_at = case when attempts + 1 >= ${maxAttempts} then now() end
    where id = ${id}
  `;
}

/** Pending items, and the age of the oldest in seconds; 0 without any. */
export interface Waiting {
  count: number;
  ageSeconds: number;
}

/** Pending and dead entries. */
export async function measureOutbox(sql: Queryable, schema: string): Promise<Waiting & { dead: number }> {
  const [row] = await sql<[Waiting & { dead: number }]>`
    select
      count(*) filter (where dead_at is null)::int as count, count(dead_at)::int as dead,
      coalesce(extract(epoch from now() - min(time) filter (where dead_at is null)), 0)::float8 as age_seconds
    from ${sql(`${schema}.outbox`)}
    where shipped_at is null
  `;
  return row;
}
