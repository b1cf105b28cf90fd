import {
  conflicting,
  type OrganizationKind,
  type OrganizationStatus,
  type Refusal,
  statusAfter,
  type StatusChange,
  unknown,
} from '../../domain/organization/organizations.js';
import { first, type Changes, type Queryable, type Sql } from '../client.js';
import { violatedConstraint } from '../constraints.js';
import { publishEvent } from '../outbox.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';
import { type Scope, within } from './scope.js';

export interface Organization {
  id: string;
  slug: string;
  displayName: string;
  kind: OrganizationKind;
  emrOrganizationId: string;
  status: OrganizationStatus;
  createdAt: Date;
  updatedAt: Date;
}

export const organizationColumns = (sql: Queryable) => sql`
  id, slug, display_name, kind, emr_organization_id, status, created_at, updated_at
`;

/** Only superadmins see archived ones (page 3, Organization status). */
const visible = (sql: Queryable, scope: Scope) =>
  sql`${within(sql, scope, 'id')} and (${scope === 'all'} or status <> 'archived')`;

export const findOrganization = (sql: Queryable, scope: Scope, id: string) =>
  first(sql<Organization[]>`
    select ${organizationColumns(sql)} from organization.organization where id = ${id} and ${visible(sql, scope)}
  `);

/** Oldest first. `position` is the cursor of the next page. */
export const listOrganizations = (
  sql: Queryable,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
) =>
  sql<(Organization & { position: string })[]>`
    select ${organizationColumns(sql)}, position
    from organization.organization
    where position > ${after} and ${visible(sql, scope)}
    order by position
    limit ${limit}
  `;

/**
 * Changes an organization, or what belongs to it, in a transaction that locks its row, which orders its events.
 * Rejects unknown and archived ones (D74).
 */
export async function changeOrganization<T extends object>(
  sql: Sql,
  scope: Scope,
  id: string,
  change: (sql: Queryable, organization: Organization) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const changed = await sql.begin(async (sql): Promise<T | Refusal> => {
    const [organization] = await sql<Organization[]>`
      select ${organizationColumns(sql)}
      from organization.organization
      where id = ${id} and ${visible(sql, scope)}
      for update
    `;
    if (!organization) return unknown('Organization');
    if (organization.status === 'archived') return conflicting('The organization is archived');
    return change(sql, organization);
  });
  return changed;
}

export async function publishOrganization(
  sql: Queryable,
  detailType: `organization.${string}`,
  { id, slug, displayName, kind, emrOrganizationId, status }: Organization,
): Promise<void> {
  await publishEvent(sql, 'organization', {
    detailType,
    aggregateId: id,
    organizationId: id,
    detail: { organizationId: id, slug, displayName, kind, emrOrganizationId, status },
  });
}

/** @returns a conflict for a slug in use. Without a difference, publishes nothing. */
export async function updateOrganization(
  sql: Sql,
  scope: Scope,
  id: string,
  by: Actor,
  changes: Changes<Pick<Organization, 'displayName' | 'slug'>>,
): Promise<Organization | Refusal> {
  try {
    return await changeOrganization(sql, scope, id, async (sql, organization) => {
      const { displayName = organization.displayName, slug = organization.slug } = changes;
      if (displayName === organization.displayName && slug === organization.slug) return organization;
      const [updated] = await sql<[Organization]>`
        update organization.organization set display_name = ${displayName}, slug = ${slug}, updated_at = now()
        where id = ${id}
        returning ${organizationColumns(sql)}
      `;
      await writeAudit(sql, by, {
        action: 'organization.updated',
        target: `organization:${id}`,
        organizationId: id,
      });
      await publishOrganization(sql, 'organization.updated', updated);
      return updated;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'organization_slug') return slugInUse;
    throw error;
  }
}

export const slugInUse = conflicting('An organization with this slug already exists');

/** The published event and the audited action of each change. */
const eventOf = {
  suspend: { event: 'organization.suspended', action: 'organization.suspended' },
  archive: { event: 'organization.archived', action: 'organization.archived' },
  reactivate: { event: 'organization.updated', action: 'organization.reactivated' },
} as const;

/** Suspends, archives or reactivates an organization. @returns a conflict when the status does not allow it */
export async function changeStatus(
  sql: Sql,
  scope: Scope,
  id: string,
  by: Actor,
  change: StatusChange,
): Promise<Organization | Refusal> {
  return changeOrganization(sql, scope, id, async (sql, { status }) => {
    const next = statusAfter(status, change);
    if (next === undefined) return conflicting(`The organization is ${status}`);
    const [updated] = await sql<[Organization]>`
      update organization.organization set status = ${next}, updated_at = now()
      where id = ${id}
      returning ${organizationColumns(sql)}
    `;
    const { event, action } = eventOf[change];
    await writeAudit(sql, by, { action, target: `organization:${id}`, organizationId: id });
    await publishOrganization(sql, event, updated);
    return updated;
  });
}
