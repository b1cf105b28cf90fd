import type { OtherPatient } from '../../domain/intake/identity.js';
import type { Queryable } from '../client.js';

/** Notes that an intake joins nobody, before its own patient is made. */
export async function noteOwnPatient(sql: Queryable, submissionId: string): Promise<void> {
  await sql`insert into intake.own_patient (submission_id) values (${submissionId}) on conflict do nothing`;
}

/** Notes whom else the address of an intake has that joins nobody; the first one stays. */
export async function noteOtherPatient(
  sql: Queryable,
  submissionId: string,
  { id, reason }: OtherPatient,
): Promise<void> {
  await sql`
    update intake.own_patient set other_patient_id = ${id}, reason = ${reason}
    where submission_id = ${submissionId} and other_patient_id is null
  `;
}

/**
 * Opens the work item `identity_mismatch` where an intake has got a patient of its own beside another one of its
 * address (D86): once for two patients, whoever of them came first. To be called in the transaction that gives the
 * intake its patient.
 */
export async function openMismatch(
  sql: Queryable,
  { submissionId, emrPatientId }: { submissionId: string; emrPatientId: string },
): Promise<void> {
  await sql`
    with noted as (
      delete from intake.own_patient where submission_id = ${submissionId} returning other_patient_id, reason
    )
    insert into intake.work_item (kind, reason, title, refers_to, answers, fact, due_at)
    select
      'identity_mismatch', reason, 'Two patients under one e-mail address',
      jsonb_build_object(
        'intakeId', ${submissionId}::text, 'patientId', ${emrPatientId}::text, 'otherPatientId', other_patient_id
      ),
      array['settle', 'dismiss'],
      least(${emrPatientId}::text, other_patient_id) || ' ' || greatest(${emrPatientId}::text, other_patient_id),
      now() + interval '24 hours'
    from noted
    where other_patient_id <> ${emrPatientId}
    on conflict (kind, fact) do nothing
  `;
}
