import type { Actor } from '../../domain/organization/actor.js';
import type { Queryable } from '../client.js';
import { type Scope, within } from './scope.js';

export interface AuditEvent {
  id: string;
  at: Date;
  /** E-mail address. */
  actor: string;
  action: string;
  /** `<kind>:<id>`. */
  target: string;
  organizationId: string | null;
  ip: string;
  userAgent: string | null;
}

/** Records an action in the transaction of the change. */
export async function writeAudit(
  sql: Queryable,
  { adminId, ip, userAgent }: Actor,
  entry: Pick<AuditEvent, 'action' | 'target' | 'organizationId'>,
): Promise<void> {
  const { action, target, organizationId } = entry;
  await sql`
    insert into organization.audit_event (actor, action, target, organization_id, ip, user_agent)
    select email, ${action}, ${target}, ${organizationId}::uuid, ${ip}, ${userAgent}::text
    from organization.admin_user
    where id = ${adminId}
  `;
}

export interface AuditFilter {
  organizationId?: string | undefined;
  /** An e-mail address in any case. */
  actor?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Starts the page before this position. */
  before?: string | undefined;
  limit: number;
}

/** Newest first. `position` is the cursor of the next page. */
export const listAuditEvents = (
  sql: Queryable,
  scope: Scope,
  { organizationId, actor, from, to, before, limit }: AuditFilter,
) =>
  sql<(AuditEvent & { position: string })[]>`
    select id, position, at, actor, action, target, organization_id, ip, user_agent
    from organization.audit_event
    where ${within(sql, scope, 'organization_id')}
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
      ${actor === undefined ? sql`` : sql`and lower(actor) = lower(${actor})`}
      ${from === undefined ? sql`` : sql`and at >= ${from}`}
      ${to === undefined ? sql`` : sql`and at < ${to}::timestamptz + interval '1 millisecond'`}
      ${
        before === undefined
          ? sql``
          : sql`and (at, position) < (select at, position from organization.audit_event where position = ${before})`
      }
    order by at desc, position desc
    limit ${limit}
  `;
