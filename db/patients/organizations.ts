import type { OrganizationStatus } from '../../domain/patients/patient-directory.js';
import type { Queryable } from '../client.js';

/** The organization's status; undefined when it is not known yet. */
export async function findOrganizationStatus(
  sql: Queryable,
  organizationId: string,
): Promise<OrganizationStatus | undefined> {
  const [row] = await sql<{ status: OrganizationStatus }[]>`
    select status from patients.organization_state where organization_id = ${organizationId}
  `;
  return row?.status;
}

/** Stores the answer of the organization service, unless an event arrived first. */
export async function keepAskedStatus(
  sql: Queryable,
  { organizationId, status }: { organizationId: string; status: OrganizationStatus },
): Promise<void> {
  await sql`
    insert into patients.organization_state (organization_id, status)
    values (${organizationId}, ${status})
    on conflict (organization_id) do nothing
  `;
}

/** Stores the status of an event. An older event changes nothing, and `archived` is final. */
export async function keepPublishedStatus(
  sql: Queryable,
  told: { organizationId: string; status: OrganizationStatus; at: string },
): Promise<void> {
  await sql`
    insert into patients.organization_state (organization_id, status, changed_at)
    values (${told.organizationId}, ${told.status}, ${told.at})
    on conflict (organization_id) do update set status = excluded.status, changed_at = excluded.changed_at
    where organization_state.status <> 'archived'
      and (organization_state.changed_at is null or organization_state.changed_at <= excluded.changed_at)
  `;
}
