import { intakeOf } from '../../domain/intake/intake.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import { readPatient } from '../../domain/orderable-patient.js';
import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/** A patient whom nothing can be ordered for yet. */
export interface IncompletePatient {
  submissionId: string;
  emrPatientId: string;
}

/**
 * Has a person see to a patient whom nothing can be ordered for, going by what the intake says of them (D109). To be called
 * in the transaction that gives the intake its patient.
 */
export async function noteIncomplete(
  sql: Queryable,
  { submissionId, emrPatientId }: IncompletePatient,
  body: string,
): Promise<void> {
  // The contract has judged the birth date, and no entry of an intake begins or ends.
  const today = new Date().toISOString().slice(0, 10);
  const reading = readPatient(toFhirPatient(intakeOf(body)), { today });
  if (!('missing' in reading)) return;
  await sql`
    insert into intake.incomplete_patient ${sql({ submissionId, emrPatientId })} on conflict do nothing
  `;
  const [first = 'fields'] = reading.missing;
  await openWorkItem(sql, 'intake', {
    ...incomplete(submissionId),
    reason: `no_${first.replace('.', '_')}`,
    references: { intakeId: submissionId, patientId: emrPatientId },
  });
}

export async function findIncomplete(
  sql: Queryable,
  submissionId: string,
): Promise<IncompletePatient | undefined> {
  const [patient] = await sql<IncompletePatient[]>`
    select submission_id, emr_patient_id from intake.incomplete_patient where submission_id = ${submissionId}
  `;
  return patient;
}

/** Takes the next ones that the EMR is to be asked about; each is asked about once an hour. */
export const takeIncomplete = (sql: Queryable, limit: number): Promise<IncompletePatient[]> =>
  sql<IncompletePatient[]>`
    update intake.incomplete_patient set check_at = now() + interval '1 hour'
    where submission_id in (
      select submission_id from intake.incomplete_patient
      where check_at <= now() order by check_at limit ${limit} for update skip locked
    )
    returning submission_id, emr_patient_id
  `;

/** The EMR's record is complete, or is there no more: nobody needs to see to it. */
export const settleIncomplete = (sql: Sql, submissionId: string): Promise<void> =>
  sql.begin(async (sql) => {
    await sql`delete from intake.incomplete_patient where submission_id = ${submissionId}`;
    await closeWorkItem(sql, 'intake', incomplete(submissionId));
  });

const incomplete = (submissionId: string) => ({ kind: 'patient_incomplete', fact: submissionId }) as const;
