import { conflicting, type Refusal } from '../../domain/organization/organizations.js';
import type { Queryable, Sql } from '../client.js';
import { violatedConstraint } from '../constraints.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';
import { type Organization, organizationColumns, publishOrganization, slugInUse } from './organizations.js';

/**
 * Reserves the slug of a new organization before the EMR is called (D79).
 * @returns its id, or that of an earlier try; undefined for a slug in use
 */
export async function claimCreation(sql: Queryable, slug: string): Promise<string | undefined> {
  const [claimed] = await sql<{ organizationId: string }[]>`
    insert into organization.creation (organization_id, slug)
    select gen_random_uuid(), ${slug}
    where not exists (select from organization.organization where slug = ${slug})
    on conflict (slug) where state = 'open' do update set tried_at = now()
    returning organization_id
  `;
  return claimed?.organizationId;
}

export type NewOrganization = Pick<Organization, 'id' | 'slug' | 'displayName' | 'kind'>;

/**
 * Turns the reservation into the organization. A repeat returns the stored one.
 * @returns a conflict when the slug is taken or the reservation was given up
 */
export async function storeOrganization(
  sql: Sql,
  organization: NewOrganization & Pick<Organization, 'emrOrganizationId'>,
  by: Actor,
): Promise<Organization | Refusal> {
  try {
    return await sql.begin(async (sql): Promise<Organization | Refusal> => {
      const { id, slug, displayName, kind, emrOrganizationId } = organization;
      const { count } = await sql`
        delete from organization.creation where organization_id = ${id} and state = 'open'
      `;
      if (count === 0) {
        const [before] = await sql<Organization[]>`
          select ${organizationColumns(sql)} from organization.organization where id = ${id}
        `;
        return before ?? conflicting('The creation of this organization was given up');
      }
      const [created] = await sql<[Organization]>`
        insert into organization.organization ${sql({ id, slug, displayName, kind, emrOrganizationId })}
        returning ${organizationColumns(sql)}
      `;
      await writeAudit(sql, by, {
        action: 'organization.created',
        target: `organization:${id}`,
        organizationId: id,
      });
      await publishOrganization(sql, 'organization.created', created);
      return created;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'organization_slug') return slugInUse;
    throw error;
  }
}

/** No create takes this long: an older reservation was abandoned. */
const givenUpAfter = '1 hour';

/** Abandoned reservations, oldest first. */
export async function listGivenUpCreations(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select organization_id from organization.creation
    where tried_at < now() - ${givenUpAfter}::interval
    order by tried_at
    limit ${limit}
  `;
  return rows.map(({ organizationId }) => organizationId);
}

/** Prevents the create from resuming. @returns false when there is nothing to discard */
export async function claimDiscard(sql: Queryable, organizationId: string): Promise<boolean> {
  const { count } = await sql`
    update organization.creation set state = 'discarding'
    where organization_id = ${organizationId}
      and (state = 'discarding' or tried_at < now() - ${givenUpAfter}::interval)
  `;
  return count > 0;
}

export async function forgetCreation(sql: Queryable, organizationId: string): Promise<void> {
  await sql`
    delete from organization.creation where organization_id = ${organizationId} and state = 'discarding'
  `;
}
