import type { Queryable } from '../client.js';

/** The values to erase. They never leave the process or enter a workflow. */
export interface ErasureScope {
  patientId: string;
  mrn: string;
  emrPatientIds: string[];
  /**
   * Lower case; null when another patient has the address, or intakes under it name different people. Then only data
   * under the patient's ids is erased.
   */
  email: string | null;
}

/**
 * The scope of an erasure, with every EMR id of the patient: from the directory and from intakes under the address.
 * Stores the ids, because the address is erased at the end.
 */
export async function openScope(sql: Queryable, erasureId: string): Promise<ErasureScope> {
  const scope = await readScope(sql, erasureId);
  const { patientId, emrPatientIds, email } = scope;
  const [found] = await sql<{ emrPatientIds: string[] }[]>`
    update patients.erasure set emr_patient_ids = array(
      select unnest(${emrPatientIds}::text[])
      union
      select emr_patient_id
      from intake.submission
      where email = ${email} and emr_patient_id is not null and not exists (
        select from patients.patient_directory as other
        where other.emr_patient_id = submission.emr_patient_id and other.id <> ${patientId}
      )
    )
    where id = ${erasureId}
    returning emr_patient_ids
  `;
  if (!found) throw new Error('There is no such erasure');
  return { ...scope, emrPatientIds: found.emrPatientIds };
}

/** @throws when there is no such erasure */
export async function readScope(sql: Queryable, erasureId: string): Promise<ErasureScope> {
  const [scope] = await sql<ErasureScope[]>`
    select patient.id as patient_id, patient.mrn,
      array(
        select unnest(emr_patient_ids) union select patient.emr_patient_id where patient.emr_patient_id is not null
      ) as emr_patient_ids,
      case when not exists (
        select from patients.patient_directory as other
        where other.email_lower = patient.email_lower and other.id <> patient.id
      ) and (
        select count(distinct (lower(last_name), data ->> 'dob')) <= 1
        from intake.submission
        where email = patient.email_lower
      ) then patient.email_lower end as email
    from patients.erasure
    join patients.patient_directory as patient on patient.id = patient_id
    where erasure.id = ${erasureId}
  `;
  if (!scope) throw new Error('There is no such erasure');
  return scope;
}

/** Completes an erasure and deletes the address that identified the data. Idempotent. */
export async function closeErasure(sql: Queryable, erasureId: string): Promise<void> {
  await sql`
    with closed as (
      update patients.erasure set state = 'completed', completed_at = now()
      where id = ${erasureId} and state = 'running'
      returning patient_id
    )
    update patients.patient_directory set email_lower = null, updated_at = now()
    where id in (select patient_id from closed) and email_lower is not null
  `;
}

/** Erasures running for longer than `olderThanSeconds`, oldest first: their workflows may be gone. */
export async function listRunningErasures(sql: Queryable, olderThanSeconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from patients.erasure
    where state = 'running' and requested_at < now() - make_interval(secs => ${olderThanSeconds})
    order by requested_at
    limit 100
  `;
  return rows.map(({ id }) => id);
}
