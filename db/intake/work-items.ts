import type { OtherPatient } from '../../domain/intake/identity.js';
import type { Queryable } from '../client.js';
import { openWorkItem } from '../work-items.js';

/** Marks an intake that gets a patient of its own, before the patient is created. */
export async function noteOwnPatient(sql: Queryable, submissionId: string): Promise<void> {
  await sql`insert into intake.own_patient (submission_id) values (${submissionId}) on conflict do nothing`;
}

/** Records the existing patient with the address of such an intake; the first one stays. */
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
 * Opens the work item `identity_mismatch` when an intake got its own patient although its address belongs to another
 * one (D86); one item for each pair. Call it in the transaction that links the patient.
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
    references: { intakeId: submissionId, emrPatientId, otherEmrPatientId: noted.otherPatientId },
  });
}
