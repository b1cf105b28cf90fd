import type { Queryable } from '../client.js';

const maxFound = 20;

/** The EMR patients of an address, newest intake first (D134). */
export async function findPatientsOfEmail(sql: Queryable, email: string): Promise<string[]> {
  const rows = await sql<{ emrPatientId: string }[]>`
    select emr_patient_id
    from intake.submission
    where email = lower(${email}) and emr_patient_id is not null
    group by emr_patient_id
    order by max(created_at) desc
    limit ${maxFound}
  `;
  return rows.map(({ emrPatientId }) => emrPatientId);
}
