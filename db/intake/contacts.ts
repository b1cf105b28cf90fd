import { first, type Queryable } from '../client.js';
import { publishEvent } from '../outbox.js';
import { erasedBody } from '../retention/erasing.js';

/**
 * Publishes the contact data of an intake once its mailbox is proven and its patient exists (D86). Call it in the
 * transaction that adds either. The event contains ids only.
 */
export async function publishContact(sql: Queryable, submissionId: string): Promise<void> {
  const [proven] = await sql`
    select from intake.submission
    where id = ${submissionId} and emr_patient_id is not null and email_proven
    for update
  `;
  if (!proven) return;
  await publishEvent(sql, 'intake', {
    detailType: 'intake.contact_confirmed',
    aggregateId: submissionId,
    detail: { submissionId },
  });
}

/** The body and EMR patient of a proven intake; undefined when it is erased, or the patient has a later one. */
export const findNewestContact = (sql: Queryable, submissionId: string) =>
  first(sql<{ body: string; emrPatientId: string }[]>`
    select body, emr_patient_id
    from intake.submission as own
    where id = ${submissionId} and emr_patient_id is not null and email_proven and body <> ${erasedBody} and not exists (
      select from intake.submission as later
      where later.emr_patient_id = own.emr_patient_id and later.email_proven
        and (later.created_at, later.id) > (own.created_at, own.id)
    )
  `);
