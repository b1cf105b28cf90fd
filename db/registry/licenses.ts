import type { CalendarDay } from '../../domain/calendar.js';
import type { LicenseType } from '../../domain/registry/physician-routing.js';
import { first, type Changes, type Queryable } from '../client.js';

export interface License {
  id: string;
  physicianId: string;
  /** Two capital letters. */
  state: string;
  licenseNumber: string;
  expirationDate: CalendarDay | null;
  licenseType: LicenseType | null;
  isActive: boolean;
}

const columns = (sql: Queryable) => sql`
  id, physician_id, state, license_number, expiration_date, license_type, is_active
`;

export const listActiveLicenses = (sql: Queryable, physicianId: string) =>
  sql<License[]>`
    select ${columns(sql)}
    from registry.license
    where physician_id = ${physicianId} and is_active
    order by state
  `;

/** A physician has at most one active license in a state (D51), expired or not. */
export const findActiveLicense = (sql: Queryable, physicianId: string, state: string) =>
  first(sql<License[]>`
    select ${columns(sql)}
    from registry.license
    where physician_id = ${physicianId} and state = ${state} and is_active
  `);

type LicenseFields = Omit<License, 'id' | 'physicianId' | 'isActive'>;

/** @throws a violation of `license_active_state` or `license_physician_id_fkey` */
export async function addLicense(
  sql: Queryable,
  physicianId: string,
  fields: Changes<LicenseFields>,
): Promise<License> {
  const [license] = await sql<[License]>`
    insert into registry.license ${sql({ ...fields, physicianId })}
    returning ${columns(sql)}
  `;
  return license;
}

/** @returns undefined when the physician has no such license. @throws a violation of `license_active_state` */
export const updateLicense = (
  sql: Queryable,
  { id, physicianId }: Pick<License, 'id' | 'physicianId'>,
  changes: Changes<LicenseFields & Pick<License, 'isActive'>>,
) =>
  first(sql<License[]>`
    update registry.license set ${sql({ ...changes, updatedAt: new Date() })}
    where id = ${id} and physician_id = ${physicianId}
    returning ${columns(sql)}
  `);

/** Adds licenses with fixed ids; existing ones stay unchanged. */
export async function addMissingLicenses(
  sql: Queryable,
  licenses: readonly Omit<License, 'isActive'>[],
): Promise<void> {
  await sql`insert into registry.license ${sql(licenses)} on conflict do nothing`;
}
