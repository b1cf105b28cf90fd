import type { Queryable } from '../client.js';

/** True when an intake with this address was submitted at or after a time. */
export async function hasSubmittedSince(sql: Queryable, email: string, since: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from intake.submission where email = ${email} and created_at >= ${since} limit 1
  `;
  return rows.length > 0;
}
