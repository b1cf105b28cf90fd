import type { OtherPatient } from '../../domain/intake/identity.js';
import type { Queryable } from '../client.js';
import { openWorkItem } from '../work-items.js';

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
 * address (D86): one for two patients, whoever of them came first. To be called in the transaction that gives the
 * intake its patient.
 */
export async function openMismatch(
  sql: Queryable,
  { submissionId, emrPatientId }: { submissionId: string; emrPatientId: string },
): Promise<void> {
  const [noted] = await sql<{ otherPatientId: string | null; reason: string | null }[]>`
    delete from intake.own_patient where submission_id = ${submissionId} returning other_patient_id, reason
  `;
  if (!noted?.otherPatientId || !noted.reason || noted.otherPatientId === emrPatientId) return;
  await openWorkItem(sql, 'intake', {
    kind: 'identity_mismatch',
    fact: [emrPatientId, noted.otherPatientId].sort().join(' '),
    reason: noted.reason,
    references: { intakeId: submissionId, patientId: emrPatientId, otherPatientId: noted.otherPatientId },
  });
}
