import type { Queryable, Sql } from './client.js';
import { outboxChannel } from './outbox.js';

/** Services with an outbox: events, delivered to consumers, and the router's callbacks. */
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
  /** Only what was given up, within the window; without it everything that happened in the window (D97). */
  state?: 'dead' | undefined;
}

/**
 * Sends again what a service has to make known, under the same ids and in its old order: every event of a window of
 * time, delivered ones too, or only what was given up in it (D97). Not those whose detail is past its age, or was erased
 * with its patient (D94).
 * @returns how many events; of those given up, one per consumer that had not got it
 */
export const redrive = (sql: Sql, service: OutboxService, window: RedriveWindow): Promise<number> =>
  sql.begin(async (sql) => {
    const deliveries = await redriveDeliveries(sql, service, window);
    const entries = await redriveEntries(sql, service, window);
    return window.state === 'dead' ? entries + deliveries : entries;
  });

/** The entries of a window of time are shipped again. @returns how many */
export async function redriveEntries(
  sql: Queryable,
  schema: string,
  { from, to, state }: RedriveWindow,
): Promise<number> {
  const isMeant =
    state === 'dead'
      ? sql`dead_at between ${from} and ${to} and shipped_at is null`
      : sql`time between ${from} and ${to}`;
  const { count } = await sql`
    update ${sql(`${schema}.outbox`)} set shipped_at = null, dead_at = null, attempts = 0, retry_at = now()
    where ${isMeant} and detail is not null
  `;
  await sql`select pg_notify(${outboxChannel(schema)}, '')`;
  return count;
}

/** The deliveries of a window of time are made again; their entries are shipped for it. @returns how many */
async function redriveDeliveries(
  sql: Queryable,
  schema: string,
  { from, to, state }: RedriveWindow,
): Promise<number> {
  const outbox = sql(`${schema}.outbox`);
  const isMeant =
    state === 'dead'
      ? sql`state = 'dead' and settled_at between ${from} and ${to}`
      : sql`event_id in (select id from ${outbox} where time between ${from} and ${to})`;
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
 * Makes one event's delivery to one consumer again, at once and with its whole time before it (D109). One that has been
 * delivered meanwhile stays so.
 * @returns false when there is nothing to deliver any more: its detail is past its age, or was erased
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
