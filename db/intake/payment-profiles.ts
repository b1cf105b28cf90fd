import type { PaymentProfileSaved } from '../../domain/events.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { publishContact } from './contacts.js';

/** The fields of a submission that saving a card needs. */
export interface PayingSubmission {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  customerId: string | null;
  /** The processor's id of the last saved card; null when there is none. */
  cardId: string | null;
  /** The same card under the browser's id. */
  paymentMethodId: string | null;
}

export const findPayingSubmission = (sql: Queryable, id: string) =>
  first(sql<PayingSubmission[]>`
    select id, first_name, last_name, email, customer_id, card_id,
      case when card_id is not null then data ->> 'paymentMethodId' end as payment_method_id
    from intake.submission
    where id = ${id}
  `);

export interface SavedCard {
  customerId: string;
  /** The processor's id of the card. */
  cardId: string;
  /** The ids as the browser sent them; `data` stores these. */
  named: { paymentMethodId: string; setupIntentId?: string | undefined };
  /** The caller has proven the mailbox of the submission. */
  emailProven?: boolean;
}

/**
 * Saves the card of a submission and publishes the payment profile in one transaction; the last card wins. `data`
 * gets the card's ids after the fields of the body, whose bytes stay unchanged (D7). Without proof of the mailbox, a
 * submission that has a card stays as it is, so an older intake does not bring its card back (D86).
 * @returns false when the submission has another card and the mailbox is not proven
 */
export async function keepCard(sql: Sql, submissionId: string, card: SavedCard): Promise<boolean> {
  const { emailProven = false } = card;
  return sql.begin(async (sql) => {
    const [kept] = await sql<{ isNewlyProven: boolean }[]>`
      with before as (select id, email_proven from intake.submission where id = ${submissionId} for update)
      update intake.submission as saved set
        data = (
          left(rtrim(body, E' \\t\\r\\n'), -1) || ',' || substr(${JSON.stringify(card.named)}::text, 2)
        )::json,
        customer_id = ${card.customerId}, card_id = ${card.cardId}, card_saved_at = now(), updated_at = now(),
        email_proven = saved.email_proven or ${emailProven}
      from before
      where saved.id = before.id and (card_id is null or ${emailProven})
      returning saved.email_proven and not before.email_proven as is_newly_proven
    `;
    if (!kept) return isCardOf(sql, submissionId, card.cardId);
    if (kept.isNewlyProven) await publishContact(sql, submissionId);
    await publishPaymentProfile(sql, submissionId);
    return true;
  });
}

async function isCardOf(sql: Queryable, submissionId: string, cardId: string): Promise<boolean> {
  const same = await sql`select from intake.submission where id = ${submissionId} and card_id = ${cardId}`;
  return same.length > 0;
}

/**
 * Publishes the payment profile of a submission once it has a patient and a card (D64). Call it in the transaction
 * that adds either.
 */
export async function publishPaymentProfile(sql: Queryable, submissionId: string): Promise<void> {
  const [profile] = await sql<(Omit<PaymentProfileSaved, 'savedAt'> & { savedAt: Date })[]>`
    select id as submission_id, emr_patient_id, customer_id, card_id as payment_method_id, coupon_code,
      plan_amount_cents, intake_type, email_proven, card_saved_at as saved_at
    from intake.submission
    where id = ${submissionId} and emr_patient_id is not null and card_id is not null
    for update
  `;
  if (!profile) return;
  await publishEvent(sql, 'intake', {
    detailType: 'intake.payment_profile_saved',
    aggregateId: submissionId,
    detail: { ...profile, savedAt: profile.savedAt.toISOString() },
  });
}
