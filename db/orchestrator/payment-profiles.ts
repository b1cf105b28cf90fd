import { first, type Queryable } from '../client.js';

/** The card that a patient saved, and what was agreed with it (D37). */
export interface PaymentProfile {
  customerId: string;
  paymentMethodId: string;
  couponId: string | null;
  amountCents: number | null;
  currency: string;
  /** Of the plan whose price it is (D87); null where it is not known, or there is none. */
  intakeType: string | null;
}

export const findPaymentProfile = (
  sql: Queryable,
  emrPatientId: string,
): Promise<PaymentProfile | undefined> =>
  first(sql<PaymentProfile[]>`
    select customer_id, payment_method_id, coupon_id, amount_cents, currency, intake_type
    from orchestrator.payment_profile
    where emr_patient_id = ${emrPatientId}
  `);

/** Keeps the profile of a patient, unless one saved later is there already. */
export async function putPaymentProfile(
  sql: Queryable,
  emrPatientId: string,
  profile: PaymentProfile,
  savedAt = new Date(),
): Promise<void> {
  const row = { emrPatientId, ...profile, savedAt };
  await sql`
    insert into orchestrator.payment_profile
      ${sql(row, 'emrPatientId', 'customerId', 'paymentMethodId', 'couponId', 'amountCents', 'currency', 'intakeType', 'savedAt')}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      intake_type = excluded.intake_type, saved_at = excluded.saved_at, updated_at = now()
    where payment_profile.saved_at is null or payment_profile.saved_at <= excluded.saved_at
  `;
}

/**
 * Keeps the profile that came with an intake (D86): where there is one already only if the intake's mailbox was proved,
 * and then in the place of every one whose mailbox was not, and of every earlier one. The order in which they arrive
 * makes no difference to that.
 * @returns `replacedPaymentMethodId`: the other card whose place it took, the same for the same profile again; null for
 *   the first card of a patient; undefined when the profile was not taken
 */
export async function takeIntakeProfile(
  sql: Queryable,
  emrPatientId: string,
  profile: PaymentProfile,
  { savedAt, emailProven }: { savedAt: Date; emailProven: boolean },
): Promise<{ replacedPaymentMethodId: string | null } | undefined> {
  const row = { emrPatientId, ...profile, savedAt, emailProven };
  const [taken] = await sql<{ replacedPaymentMethodId: string | null }[]>`
    insert into orchestrator.payment_profile ${sql(
      row,
      'emrPatientId',
      'customerId',
      'paymentMethodId',
      'couponId',
      'amountCents',
      'currency',
      'intakeType',
      'savedAt',
      'emailProven',
    )}
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

/** The card that a patient's charges go to from now on; what was agreed on prices stays (D107). */
export async function replaceCard(
  sql: Queryable,
  emrPatientId: string,
  { customerId, paymentMethodId }: Pick<PaymentProfile, 'customerId' | 'paymentMethodId'>,
): Promise<void> {
  const row = { emrPatientId, customerId, paymentMethodId, savedAt: new Date(), emailProven: true };
  await sql`
    insert into orchestrator.payment_profile ${sql(row, 'emrPatientId', 'customerId', 'paymentMethodId', 'savedAt', 'emailProven')}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id, saved_at = excluded.saved_at,
      email_proven = true, updated_at = now()
  `;
}
