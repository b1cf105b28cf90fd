import type { DeliveryVerdict, EventConsumer, EventEnvelope, NextDelivery } from '../domain/events.js';
import { rejectionsBeforeWorkItem } from '../domain/http-status.js';
import type { Queryable, Sql } from './client.js';
import type { Waiting } from './outbox.js';
import { closeWorkItem, openWorkItem, type WorkItemSchema } from './work-items.js';

/** The queue of one consumer for one aggregate. */
export interface EventQueue {
  consumer: EventConsumer;
  aggregateId: string;
}

/** The first undelivered event of the queue; null when there is none or it is dead. */
export async function findNextDelivery(
  sql: Queryable,
  schema: string,
  { consumer, aggregateId }: EventQueue,
): Promise<NextDelivery | null> {
  const [row] = await sql<
    (Omit<NextDelivery, 'event'> & Omit<EventEnvelope, 'time'> & { time: Date; state: string })[]
  >`
    select
      delivery.state, delivery.attempts, delivery.last_error,
      (extract(epoch from delivery.first_attempt_at) * 1000)::float8 as first_attempt_at,
      (extract(epoch from delivery.due_at) * 1000)::float8 as due_at,
      entry.id, entry.source, entry.detail_type, entry.time, entry.organization_id, entry.detail
    from ${sql(`${schema}.event_delivery`)} as delivery
    join ${sql(`${schema}.outbox`)} as entry on entry.id = delivery.event_id
    where delivery.consumer = ${consumer} and delivery.aggregate_id = ${aggregateId}
      and delivery.state <> 'delivered'
    order by delivery.sequence
    limit 1
  `;
  if (!row || row.state === 'dead') return null;
  const { attempts, firstAttemptAt, dueAt, lastError, id, source, detailType, time, organizationId, detail } =
    row;
  return {
    event: { id, source, detailType, time: time.toISOString(), organizationId, detail },
    attempts,
    firstAttemptAt,
    dueAt,
    lastError,
  };
}

/**
 * Records an attempt; a finished delivery stays as it is. Opens a work item for a dead delivery and at the third
 * rejection (D109), except for the worklist's own.
 * @param refused the consumer rejected the event
 */
export async function recordDelivery(
  sql: Sql,
  schema: WorkItemSchema,
  attempt: {
    eventId: string;
    consumer: EventConsumer;
    attempts: number;
    firstAttemptAt: number;
    verdict: DeliveryVerdict;
    refused?: boolean | undefined;
  },
): Promise<void> {
  const { eventId, consumer, attempts, firstAttemptAt, verdict, refused = false } = attempt;
  await sql.begin(async (sql) => {
    const [recorded] = await sql<{ refusals: number; organizationId: string | null }[]>`
      update ${sql(`${schema}.event_delivery`)} as delivery set
        state = ${verdict.state}, attempts = ${attempts}, first_attempt_at = ${new Date(firstAttemptAt)},
        due_at = ${verdict.state === 'pending' ? new Date(verdict.dueAt) : null},
        last_error = ${verdict.state === 'delivered' ? null : verdict.error},
        settled_at = case when ${verdict.state} <> 'pending' then now() end,
        refusals = refusals + case when ${refused}::boolean and delivery.attempts < ${attempts} then 1 else 0 end
      from ${sql(`${schema}.outbox`)} as entry
      where event_id = ${eventId} and consumer = ${consumer} and state = 'pending' and entry.id = event_id
      returning delivery.refusals, entry.organization_id
    `;
    if (!recorded || consumer === 'worklist') return;
    const fact = { kind: 'event_dead', fact: `${eventId} ${consumer}` } as const;
    if (verdict.state === 'delivered') await closeWorkItem(sql, schema, fact);
    else if (verdict.state === 'dead' || (refused && recorded.refusals === rejectionsBeforeWorkItem))
      await openWorkItem(sql, schema, {
        ...fact,
        reason: verdict.state === 'dead' ? 'given_up' : 'refused',
        references: { eventId, consumer },
        organizationId: recorded.organizationId,
      });
  });
}

/** Queues whose first event is overdue: their signal may be lost. */
export const listStalledQueues = (
  sql: Queryable,
  schema: string,
  { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
) =>
  sql<(EventQueue & { source: string })[]>`
    select head.consumer, head.aggregate_id, entry.source
    from (
      select distinct on (consumer, aggregate_id) consumer, aggregate_id, event_id, state, due_at
      from ${sql(`${schema}.event_delivery`)}
      where state <> 'delivered'
      order by consumer, aggregate_id, sequence
    ) as head
    join ${sql(`${schema}.outbox`)} as entry on entry.id = head.event_id
    where head.state = 'pending'
      and coalesce(head.due_at, entry.time) < now() - ${overdueSeconds} * interval '1 second'
    limit ${limit}
  `;

/** Pending and dead deliveries. */
export async function measureDeliveries(sql: Queryable, schema: string): Promise<Waiting & { dead: number }> {
  const [row] = await sql<[Waiting & { dead: number }]>`
    select
      count(*) filter (where state = 'pending')::int as count, count(*) filter (where state = 'dead')::int as dead,
      coalesce(extract(epoch from now() - min(entry.time) filter (where state = 'pending')), 0)::float8 as age_seconds
    from ${sql(`${schema}.event_delivery`)} as delivery
    join ${sql(`${schema}.outbox`)} as entry on entry.id = delivery.event_id
    where delivery.state <> 'delivered'
  `;
  return row;
}
