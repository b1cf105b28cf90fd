import type { Fragment, Queryable, Sql } from './client.js';
import { outboxChannel } from './outbox.js';

/** Services with an outbox. */
export const outboxServices = [
  'router',
  'orchestrator',
  'intake',
  'organization',
  'patients',
  'bridge',
] as const;
export type OutboxService = (typeof outboxServices)[number];

export interface RedriveWindow {
  from: Date;
  to: Date;
  /** `dead` selects what was given up in the window; otherwise everything published in it (D97). */
  state?: 'dead' | undefined;
}

/**
 * Sends the events of a window again, with the same ids and in the same order: all of them, or only dead ones (D97).
 * Skips events whose detail was deleted by age or erasure (D94).
 * @returns the number of events; with `dead`, one per consumer without the event
 */
export const redrive = (sql: Sql, service: OutboxService, window: RedriveWindow): Promise<number> =>
  sql.begin(async (sql) => {
    const deliveries = await redriveDeliveries(sql, service, window);
    const entries = await redriveEntries(sql, service, window);
    return window.state === 'dead' ? entries + deliveries : entries;
  });

/** Times are shown in milliseconds, and stored finer. */
const isWithin = (sql: Queryable, time: Fragment, { from, to }: RedriveWindow) =>
  sql`${time} >= ${from} and ${time} < ${to}::timestamptz + interval '1 millisecond'`;

/** @returns the number of entries */
export async function redriveEntries(sql: Queryable, schema: string, window: RedriveWindow): Promise<number> {
  const isMeant =
    window.state === 'dead'
      ? sql`${isWithin(sql, sql`dead_at`, window)} and shipped_at is null`
      : isWithin(sql, sql`time`, window);
  const { count } = await sql`
    update ${sql(`${schema}.outbox`)} set shipped_at = null, dead_at = null, attempts = 0, retry_at = now()
    where ${isMeant} and detail is not null
  `;
  await sql`select pg_notify(${outboxChannel(schema)}, '')`;
  return count;
}

/** @returns the number of deliveries */
async function redriveDeliveries(sql: Queryable, schema: string, window: RedriveWindow): Promise<number> {
  const outbox = sql(`${schema}.outbox`);
  const isMeant =
    window.state === 'dead'
      ? sql`state = 'dead' and ${isWithin(sql, sql`settled_at`, window)}`
      : sql`event_id in (select id from ${outbox} where ${isWithin(sql, sql`time`, window)})`;
  const [row] = await sql<{ count: number }[]>`
    with revived as (
      update ${sql(`${schema}.event_delivery`)}
      set state = 'pending', attempts = 0, refusals = 0, first_attempt_at = null, due_at = null, settled_at = null
      where ${isMeant} and event_id in (select id from ${outbox} where detail is not null)
      returning event_id
    ), unshipped as (
      update ${outbox} set shipped_at = null, retry_at = now()
      where id in (select event_id from revived)
    )
    select count(*)::int as count from revived
  `;
  return row?.count ?? 0;
}

/**
 * Makes one delivery due now, with all its attempts available (D109). A delivered one stays.
 * @returns false when the event's detail was deleted
 */
export const redriveDelivery = (
  sql: Sql,
  schema: OutboxService,
  { eventId, consumer }: { eventId: string; consumer: string },
): Promise<boolean> =>
  sql.begin(async (sql) => {
    const entries = await sql`
      update ${sql(`${schema}.outbox`)} set shipped_at = null, dead_at = null, attempts = 0, retry_at = now()
      where id = ${eventId} and detail is not null
      returning pg_notify(${outboxChannel(schema)}, '')
    `;
    if (entries.length === 0) return false;
    await sql`
      update ${sql(`${schema}.event_delivery`)} set
        state = 'pending', attempts = 0, refusals = 0, first_attempt_at = null, due_at = null, settled_at = null
      where event_id = ${eventId} and consumer = ${consumer} and state <> 'delivered'
    `;
    return true;
  });
