import type { AccessEvent } from '../../domain/access-events.js';
import type { PhysicianPlatform, Platform } from '../../domain/registry/physician-routing.js';
import { noted } from '../access/access-events.js';
import { first, type Changes, type Queryable } from '../client.js';

export interface Physician {
  id: string;
  email: string | null;
  firstName: string;
  lastName: string;
  suffix: string | null;
  npi: string;
  deaNumber: string | null;
  phone: string | null;
  fax: string | null;
  addressLine1: string | null;
  addressCity: string | null;
  addressState: string | null;
  addressZip: string | null;
  organization: string | null;
  platform: PhysicianPlatform;
  emrPractitionerId: string | null;
  isActive: boolean;
}

export interface PhysicianWithSignature extends Physician {
  /** Base64 PNG; too large for lists (D55). */
  signatureImage: string | null;
}

const profileColumns = (sql: Queryable) => sql`
  id, email, first_name, last_name, suffix, npi, dea_number, phone, fax, address_line1, address_city,
  address_state, address_zip, organization, platform, emr_practitioner_id, is_active
`;

const allColumns = (sql: Queryable) => sql`${profileColumns(sql)}, signature_image`;

export type PhysicianFields = Omit<PhysicianWithSignature, 'id' | 'isActive'>;

/** @throws a violation of `physician_email` */
export async function addPhysician(
  sql: Queryable,
  fields: Changes<PhysicianFields>,
): Promise<PhysicianWithSignature> {
  const [physician] = await sql<[PhysicianWithSignature]>`
    insert into registry.physician ${sql(fields)}
    returning ${allColumns(sql)}
  `;
  return physician;
}

/** @returns undefined for an unknown physician. @throws a violation of `physician_email` */
export const updatePhysician = (
  sql: Queryable,
  id: string,
  changes: Changes<PhysicianFields & Pick<Physician, 'isActive'>>,
) =>
  first(sql<PhysicianWithSignature[]>`
    update registry.physician set ${sql({ ...changes, updatedAt: new Date() })}
    where id = ${id}
    returning ${allColumns(sql)}
  `);

/** Reads the status without the signature. */
export const findPhysicianStatus = (sql: Queryable, id: string) =>
  first(sql<Pick<Physician, 'id' | 'isActive'>[]>`
    select id, is_active from registry.physician where id = ${id}
  `);

/** Base64 PNG; null when there is none. */
export async function findSignature(sql: Queryable, id: string): Promise<string | null> {
  const [physician] = await sql<Pick<PhysicianWithSignature, 'signatureImage'>[]>`
    select signature_image from registry.physician where id = ${id}
  `;
  return physician?.signatureImage ?? null;
}

/** @param access recorded when the physician exists */
export const findPhysician = (sql: Queryable, id: string, access?: AccessEvent) =>
  first(sql<PhysicianWithSignature[]>`
    with found as (
      select ${allColumns(sql)}
      from registry.physician
      where id = ${id}
    )
    ${access ? sql`, ${noted(sql, access, 'found')}` : sql``}
    select * from found
  `);

export interface PhysicianFilter {
  /** Also matches physicians of both platforms. */
  platform?: Platform | undefined;
  /** In any case. */
  organization?: string | undefined;
  isActive: boolean;
  /** Starts the page after this position. */
  after: string;
  limit: number;
}

/** Oldest first. `position` is the cursor of the next page. */
export const listPhysicians = (
  sql: Queryable,
  { platform, organization, isActive, after, limit }: PhysicianFilter,
) =>
  sql<(Physician & { position: string })[]>`
    select ${profileColumns(sql)}, position
    from registry.physician
    where is_active = ${isActive} and position > ${after}
      ${platform === undefined ? sql`` : sql`and platform in (${platform}, 'both')`}
      ${organization === undefined ? sql`` : sql`and lower(organization) = lower(${organization})`}
    order by position
    limit ${limit}
  `;

/** Adds physicians with fixed ids; existing ones stay unchanged. */
export async function addMissingPhysicians(
  sql: Queryable,
  physicians: readonly Omit<PhysicianWithSignature, 'isActive'>[],
): Promise<void> {
  await sql`insert into registry.physician ${sql(physicians)} on conflict (id) do nothing`;
}
