import type { CalendarDay } from '../../domain/calendar.js';
import type { LicenseType } from '../../domain/physician-routing.js';
import type { Queryable } from '../client.js';

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

export async function listActiveLicenses(sql: Queryable, physicianId: string): Promise<License[]> {
  return sql<License[]>`
    select id, physician_id, state, license_number, expiration_date, license_type, is_active
    from registry.license
    where physician_id = ${physicianId} and is_active
    order by state
  `;
}

/** The one active license that a physician can have in a state (D51), expired or not. */
export async function findActiveLicense(
  sql: Queryable,
  physicianId: string,
  state: string,
): Promise<License | undefined> {
  const [license] = await sql<License[]>`
    select id, physician_id, state, license_number, expiration_date, license_type, is_active
    from registry.license
    where physician_id = ${physicianId} and state = ${state} and is_active
  `;
  return license;
}

/** Adds licenses with ids of their own; what is there already, or stands in their place, stays as it is. */
export async function addMissingLicenses(
  sql: Queryable,
  licenses: readonly Omit<License, 'isActive'>[],
): Promise<void> {
  await sql`insert into registry.license ${sql(licenses)} on conflict do nothing`;
}
