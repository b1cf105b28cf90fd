import type { AccessEvent } from '../../domain/access-events.js';
import type { Queryable } from '../client.js';

export async function insertAccessEvents(sql: Queryable, events: readonly AccessEvent[]): Promise<void> {
  await sql`${insertion(sql, events)}`;
}

/**
 * Records an event as part of another statement, without a commit of its own (D88). Goes after `with`.
 * @param source the part of the statement that has no row when there is nothing to record
 */
export const noted = (sql: Queryable, event: AccessEvent, source?: 'found' | 'made' | 'opened') => sql`
  noted as (
    ${insertion(sql, [event])} ${source === undefined ? sql`` : sql`where exists (select from ${sql(source)})`}
  )
`;

const insertion = (sql: Queryable, events: readonly AccessEvent[]) => sql`
  insert into access.access_event (
    actor, actor_kind, action, record, organization_id, ip, user_agent, request_id, outcome, on_behalf_of
  )
  select actor, "actorKind", action, record, "organizationId", ip, "userAgent", "requestId", outcome, "onBehalfOf"
  from jsonb_to_recordset(${sql.json(events as never)}) as event (
    actor text, "actorKind" text, action text, record text, "organizationId" uuid, ip text, "userAgent" text,
    "requestId" text, outcome text, "onBehalfOf" text
  )
`;

export interface AccessFilter {
  /** An admin's e-mail address in any case, or a stored actor; also who was acted for. */
  actor?: string | undefined;
  record?: string | undefined;
  action?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Starts the page before this position. */
  before?: string | undefined;
  limit: number;
}

/** Newest first, admins by their e-mail address. `position` is the cursor of the next page. */
export async function listAccessEvents(
  sql: Queryable,
  { actor, record, action, from, to, before, limit }: AccessFilter,
): Promise<(AccessEvent & { at: Date; position: string })[]> {
  const newest = (of: 'actor' | 'on_behalf_of') => sql`
    select *
    from access.access_event
    where true
      ${actor === undefined ? sql`` : sql`and ${sql(of)} = asked.id`}
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
  // Limit each possible actor separately, so that an actor with millions of events stays cheap.
  const events =
    actor === undefined
      ? sql`(${newest('actor')}) as event`
      : sql`(
          select ${actor}::text as id
          union all
          select id::text from organization.admin_user where lower(email) = lower(${actor})
        ) as asked
        cross join lateral ((${newest('actor')}) union all (${newest('on_behalf_of')})) as event`;
  return sql<(AccessEvent & { at: Date; position: string })[]>`
    select event.position, event.at, coalesce(admin.email, event.actor) as actor, event.actor_kind, event.action,
      event.record, event.organization_id, event.ip, event.user_agent, event.request_id, event.outcome,
      event.on_behalf_of
    from ${events}
    left join organization.admin_user admin on event.actor_kind = 'admin' and admin.id::text = event.actor
    order by event.at desc, event.position desc
    limit ${limit}
  `;
}
