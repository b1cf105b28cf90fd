import type { OrganizationStatus } from '../../domain/patients/patient-directory.js';
import type { Queryable } from '../client.js';

/** The organization's state; undefined for one that nobody has told of yet. */
export async function findOrganizationStatus(
  sql: Queryable,
  organizationId: string,
): Promise<OrganizationStatus | undefined> {
  const [row] = await sql<{ status: OrganizationStatus }[]>`
    select status from patients.organization_state where organization_id = ${organizationId}
  `;
  return row?.status;
}

/** Keeps what the organization service answered, unless an event has told of a state in the meantime. */
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

/** Keeps what an event tells: an older one than is known changes nothing, and an archived organization stays so. */
export async function keepToldStatus(
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
