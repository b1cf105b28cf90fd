import { z } from 'zod';
import type { EventHandler } from '../../activities/events/deliveries.js';
import type { Sql } from '../../db/client.js';
import { putPaymentProfile } from '../../db/orchestrator/payments.js';
import type { PaymentProfileSaved } from '../../domain/payment-profile.js';

const saved: z.ZodType<PaymentProfileSaved> = z.object({
  submissionId: z.string(),
  emrPatientId: z.string(),
  customerId: z.string(),
  paymentMethodId: z.string(),
  couponCode: z.string().nullable(),
  planAmountCents: z.int(),
  savedAt: z.iso.datetime(),
});

/** The card saved at intake becomes the one that charges go to (D37, D64). Idempotent: the one saved last counts. */
export const savePaymentProfile =
  (sql: Sql): EventHandler =>
  async ({ detail }) => {
    const { emrPatientId, customerId, paymentMethodId, couponCode, planAmountCents, savedAt } =
      saved.parse(detail);
    await putPaymentProfile(
      sql,
      emrPatientId,
      { customerId, paymentMethodId, couponId: couponCode, amountCents: planAmountCents, currency: 'usd' },
      new Date(savedAt),
    );
  };
