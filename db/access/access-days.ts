import { createHash } from 'node:crypto';
import { addDays } from '../../domain/calendar.js';
import type { Queryable } from '../client.js';

/** One day of access events in UTC (D162). */
export interface AccessDay {
  /** `YYYY-MM-DD` */
  day: string;
  events: number;
  /** SHA-256 over the hash of the day before and the day's events, in hex. */
  hash: string;
}

/** Events of requests that began before midnight are stored by then. */
const grace = '1 hour';

/** Closes every day that has ended, oldest first. Safe to repeat. */
export async function closeAccessDays(sql: Queryable): Promise<void> {
  for (;;) {
    const [last] = await listAccessDays(sql, { limit: 1 });
    const [open] = await sql<{ day: string }[]>`
      with next as (
        select coalesce(
          ${last?.day ?? null}::date + 1,
          (select (at at time zone 'utc')::date from access.access_event order by at, position limit 1)
        ) as day
      )
      select day::text from next where day + 1 <= (now() - ${grace}::interval) at time zone 'utc'
    `;
    if (!open) return;
    const closed = await hashOfDay(sql, open.day, last?.hash ?? '');
    await sql`insert into access.access_day ${sql({ day: open.day, ...closed })} on conflict (day) do nothing`;
  }
}

/** Newest first, before a day. */
export const listAccessDays = (
  sql: Queryable,
  { before, limit }: { before?: string | undefined; limit: number },
) =>
  sql<AccessDay[]>`
    select day::text, events, hash from access.access_day
    ${before === undefined ? sql`` : sql`where day < ${before}`}
    order by day desc
    limit ${limit}
  `;

/**
 * Computes every closed day again from its events.
 * @returns how many days were compared, and those that differ or are missing
 */
export async function verifyAccessDays(sql: Queryable): Promise<{ days: number; changed: string[] }> {
  const days = (await listAccessDays(sql, { limit: 100_000 })).toReversed();
  const changed: string[] = [];
  let previous: AccessDay | undefined;
  for (const stored of days) {
    const { events, hash } = await hashOfDay(sql, stored.day, previous?.hash ?? '');
    const follows = previous === undefined || addDays(previous.day, 1) === stored.day;
    if (!follows || events !== stored.events || hash !== stored.hash) changed.push(stored.day);
    previous = stored;
  }
  return { days: days.length, changed };
}

/** @param previous hash of the day before; empty for the first day */
async function hashOfDay(
  sql: Queryable,
  day: string,
  previous: string,
): Promise<Pick<AccessDay, 'events' | 'hash'>> {
  const hash = createHash('sha256').update(previous);
  let events = 0;
  let after: { at: string; position: string } | undefined;
  for (;;) {
    const page: { at: string; position: string; line: string }[] = await sql`
      select at::text, position::text, jsonb_build_array(
        position, extract(epoch from at), actor, actor_kind, action, record, organization_id, ip, user_agent,
        request_id, outcome, on_behalf_of
      )::text as line
      from access.access_event
      where at >= ${day}::date::timestamp at time zone 'utc' and at < (${day}::date + 1)::timestamp at time zone 'utc'
        ${after ? sql`and (at, position) > (${after.at}::timestamptz, ${after.position}::bigint)` : sql``}
      order by at, position
      limit 5000
    `;
    for (const { line } of page) hash.update(`\n${line}`);
    events += page.length;
    after = page.at(-1);
    if (!after) return { events, hash: hash.digest('hex') };
  }
}
