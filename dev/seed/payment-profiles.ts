import { z } from 'zod';
import type { Sql } from '../../db/client.js';
import { findPaymentProfile, putPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
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
