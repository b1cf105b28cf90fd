import type { AccessEvent } from '../../domain/access-events.js';
import type { Queryable } from '../client.js';

/** Adds events, in one statement. */
export async function insertAccessEvents(sql: Queryable, events: readonly AccessEvent[]): Promise<void> {
  await sql`${insertion(sql, events)}`;
}

/**
 * An event as a part of the statement that it tells of, which costs no commit of its own (D88): stands after `with`.
 * @param source the part of the statement that has no row where the event did not happen, if it may not
 */
export const noted = (sql: Queryable, event: AccessEvent, source?: 'found' | 'made' | 'opened') => sql`
  noted as (
    ${insertion(sql, [event])} ${source === undefined ? sql`` : sql`where exists (select from ${sql(source)})`}
  )
`;

const insertion = (sql: Queryable, events: readonly AccessEvent[]) => sql`
  insert into access.access_event (
    actor, actor_kind, action, record, organization_id, ip, user_agent, request_id, outcome
  )
  select actor, "actorKind", action, record, "organizationId", ip, "userAgent", "requestId", outcome
  from jsonb_to_recordset(${sql.json(events as never)}) as event (
    actor text, "actorKind" text, action text, record text, "organizationId" uuid, ip text, "userAgent" text,
    "requestId" text, outcome text
  )
`;

export interface AccessFilter {
  /** An admin's e-mail address in any case of its letters, or an actor as it is stored. */
  actor?: string | undefined;
  record?: string | undefined;
  action?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Only those before the one at this position. */
  before?: string | undefined;
  limit: number;
}

/** Newest first, admins by their e-mail address. `position` is what the next page starts before. */
export async function listAccessEvents(
  sql: Queryable,
  { actor, record, action, from, to, before, limit }: AccessFilter,
): Promise<(AccessEvent & { at: Date; position: string })[]> {
  const newest = sql`
    select *
    from access.access_event
    where true
      ${actor === undefined ? sql`` : sql`and actor = asked.id`}
      ${record === undefined ? sql`` : sql`and record = ${record}`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${from === undefined ? sql`` : sql`and at >= ${from}`}
      ${to === undefined ? sql`` : sql`and at <= ${to}`}
      ${
        before === undefined
          ? sql``
          : sql`and (at, position) < (select at, position from access.access_event where position = ${before})`
      }
    order by at desc, position desc
    limit ${limit}
  `;
  // Of each that may be meant by an actor the newest, so that no more is read of one with millions.
  const events =
    actor === undefined
      ? sql`(${newest}) as event`
      : sql`(
          select ${actor}::text as id
          union all
          select id::text from organization.admin_user where lower(email) = lower(${actor})
        ) as asked
        cross join lateral (${newest}) as event`;
  return sql<(AccessEvent & { at: Date; position: string })[]>`
    select event.position, event.at, coalesce(admin.email, event.actor) as actor, event.actor_kind, event.action,
      event.record, event.organization_id, event.ip, event.user_agent, event.request_id, event.outcome
    from ${events}
    left join organization.admin_user admin on event.actor_kind = 'admin' and admin.id::text = event.actor
    order by event.at desc, event.position desc
    limit ${limit}
  `;
}
