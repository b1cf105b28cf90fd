import { z } from 'zod';
import type { Queryable, Sql } from '../../db/client.js';
import { findPaymentProfile, type PaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import type { ServiceConfig } from '../../platform/config.js';
import { exchange, expectOk, parseJson } from '../../platform/http/outbound.js';
import type { SeededPatient } from './patients.js';

type Processor = Pick<ServiceConfig<'orchestrator'>, 'STRIPE_API_BASE' | 'STRIPE_SECRET_KEY'>;

const timeoutMs = 10_000;
const made = z.object({ id: z.string() });

/** Creates a customer at the payment processor for each patient with a card but no profile. */
export async function seedPaymentProfiles(
  sql: Sql,
  settings: Processor,
  patients: readonly SeededPatient[],
): Promise<void> {
  await Promise.all(
    patients.map(async ({ emrPatientId, name, email, card }) => {
      if (card === null || (await findPaymentProfile(sql, emrPatientId))) return;
      const customer = await post(settings, 'customers', `seed-customer:${emrPatientId}`, { name, email });
      const paymentMethod = await post(
        settings,
        `payment_methods/${card}/attach`,
        `seed-card:${emrPatientId}`,
        { customer: customer.id },
      );
      await putPaymentProfile(sql, emrPatientId, {
        customerId: customer.id,
        paymentMethodId: paymentMethod.id,
        couponId: null,
        amountCents: null,
        currency: 'usd',
        intakeType: null,
      });
    }),
  );
}

async function post(
  { STRIPE_API_BASE, STRIPE_SECRET_KEY }: Processor,
  path: string,
  idempotencyKey: string,
  form: Record<string, string>,
): Promise<z.infer<typeof made>> {
  const response = await exchange({
    party: 'payment processor',
    method: 'POST',
    url: `${STRIPE_API_BASE}/v1/${path}`,
    headers: {
      authorization: `Bearer ${STRIPE_SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': idempotencyKey,
    },
    body: new URLSearchParams(form).toString(),
    timeoutMs,
  });
  return made.parse(parseJson('payment processor', expectOk('payment processor', response)));
}

/** Stores the profile, unless a later one exists. */
export async function putPaymentProfile(
  sql: Queryable,
  emrPatientId: string,
  profile: PaymentProfile,
  savedAt = new Date(),
): Promise<void> {
  const row = { emrPatientId, ...profile, savedAt };
  await sql`
    insert into orchestrator.payment_profile
      ${sql(row)}
    on conflict (emr_patient_id) do update set
      customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
      coupon_id = excluded.coupon_id, amount_cents = excluded.amount_cents, currency = excluded.currency,
      intake_type = excluded.intake_type, saved_at = excluded.saved_at, updated_at = now()
    where payment_profile.saved_at is null or payment_profile.saved_at <= excluded.saved_at
  `;
}
