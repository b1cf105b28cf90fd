import { first, type Queryable } from '../client.js';
import { publishEvent } from '../outbox.js';

/**
 * Lets the patient of an intake have its address and phone once the mailbox is proved and the patient known, whichever
 * came last (D86); to be called in the transaction that adds either. The event names the intake only.
 */
export async function publishContact(sql: Queryable, submissionId: string): Promise<void> {
  const [proven] = await sql`
    select from intake.submission
    where id = ${submissionId} and emr_patient_id is not null and email_proven
    for update
  `;
  if (!proven) return;
  await publishEvent(sql, 'intake', {
    source: 'intake',
    detailType: 'intake.contact_confirmed',
    aggregateId: submissionId,
    organizationId: null,
    detail: { submissionId },
  });
}

/**
 * The body of a proved intake and its EMR patient; undefined when a later proved one of the same patient has come, whose
 * contact data is newer.
 */
export const findNewestContact = (
  sql: Queryable,
  submissionId: string,
): Promise<{ body: string; emrPatientId: string } | undefined> =>
  first(sql<{ body: string; emrPatientId: string }[]>`
    select body, emr_patient_id
    from intake.submission as own
    where id = ${submissionId} and emr_patient_id is not null and email_proven and not exists (
      select from intake.submission as later
      where later.emr_patient_id = own.emr_patient_id and later.email_proven
        and (later.created_at, later.id) > (own.created_at, own.id)
    )
  `);
