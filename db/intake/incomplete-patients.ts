import { intakeOf } from '../../domain/intake/intake.js';
import { toFhirPatient } from '../../domain/intake/intake-patient.js';
import { readPatient } from '../../domain/orderable-patient.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';

/** A patient without the data that an order needs. */
export interface IncompletePatient {
  submissionId: string;
  emrPatientId: string;
}

/**
 * Opens a work item when the intake lacks data that an order needs (D109). Call it in the transaction that links the
 * patient.
 * @param body of the intake, already validated
 */
export async function noteIncomplete(
  sql: Queryable,
  { submissionId, emrPatientId }: IncompletePatient,
  body: string,
): Promise<void> {
  // Validation has judged the birth date, and no entry of an intake begins or ends.
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
    references: { intakeId: submissionId, emrPatientId },
  });
}

export const findIncomplete = (sql: Queryable, submissionId: string) =>
  first(sql<IncompletePatient[]>`
    select submission_id, emr_patient_id from intake.incomplete_patient where submission_id = ${submissionId}
  `);

/** Takes the next patients to check in the EMR; each is checked once an hour. */
export const takeIncomplete = (sql: Queryable, limit: number) =>
  sql<IncompletePatient[]>`
    update intake.incomplete_patient set check_at = now() + interval '1 hour'
    where submission_id in (
      select submission_id from intake.incomplete_patient
      where check_at <= now() order by check_at limit ${limit} for update skip locked
    )
    returning submission_id, emr_patient_id
  `;

/** Closes the work item: the EMR's record is complete or gone. */
export const settleIncomplete = (sql: Sql, submissionId: string): Promise<void> =>
  sql.begin(async (sql) => {
    await sql`delete from intake.incomplete_patient where submission_id = ${submissionId}`;
    await closeWorkItem(sql, 'intake', incomplete(submissionId));
  });

const incomplete = (submissionId: string) => ({ kind: 'patient_incomplete', fact: submissionId }) as const;
