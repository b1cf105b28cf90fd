import { first, type Queryable } from '../client.js';

/** The saved card of a patient, with the agreed price (D37). */
export interface PaymentProfile {
  customerId: string;
  paymentMethodId: string;
  couponId: string | null;
  amountCents: number | null;
  currency: string;
  /** The intake type of the plan that sets the price (D87); null when there is none. */
  intakeType: string | null;
}

export const findPaymentProfile = (sql: Queryable, emrPatientId: string) =>
  first(sql<PaymentProfile[]>`
    select customer_id, payment_method_id, coupon_id, amount_cents, currency, intake_type
    from orchestrator.payment_profile
    where emr_patient_id = ${emrPatientId}
  `);

/**
 * Stores the profile of an intake (D86). It replaces a stored profile only if the intake's mailbox is proven and the
 * stored one is older or unproven. Arrival order does not matter.
 * @returns `replacedPaymentMethodId`: the card that was replaced, null for the first card; undefined when the profile
 * was not stored
 */
export async function takeIntakeProfile(
  sql: Queryable,
  emrPatientId: string,
  profile: PaymentProfile,
  { savedAt, emailProven }: { savedAt: Date; emailProven: boolean },
): Promise<{ replacedPaymentMethodId: string | null } | undefined> {
  const row = { emrPatientId, ...profile, savedAt, emailProven };
  const [taken] = await sql<{ replacedPaymentMethodId: string | null }[]>`
    insert into orchestrator.payment_profile ${sql(row)}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      intake_type = excluded.intake_type, saved_at = excluded.saved_at, email_proven = true, updated_at = now(),
      replaced_payment_method_id = case
        when payment_profile.payment_method_id = excluded.payment_method_id then payment_profile.replaced_payment_method_id
        else payment_profile.payment_method_id
      end
    where excluded.email_proven
      and (not payment_profile.email_proven or payment_profile.saved_at is null or payment_profile.saved_at <= excluded.saved_at)
    returning replaced_payment_method_id
  `;
  return taken;
}

/**
 * Saves the card that a patient handed in, now that it has paid; agreed prices stay (D107, D160). A card saved later
 * stays. Call it in the transaction that records the success.
 */
export async function keepPaidCard(sql: Queryable, reference: string): Promise<void> {
  await sql`
    insert into orchestrator.payment_profile as profile
      (emr_patient_id, customer_id, payment_method_id, saved_at, email_proven)
    select emr_patient_id, customer_id, payment_method_id, handed_in_at, true
    from orchestrator.payment
    where task_id = ${reference} and status = 'succeeded' and handed_in_at is not null
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id, saved_at = excluded.saved_at,
      email_proven = true, updated_at = now()
    where profile.saved_at is null or profile.saved_at <= excluded.saved_at
  `;
}
