import type { Sql } from '../../db/client.js';
import { settlePayment } from '../../db/orchestrator/payment-attempts.js';
import type { ChargeOutcome, ChargeRequest, PaymentClient } from '../../integrations/stripe/client.js';
import { calling, callLimits } from '../calls.js';

export const createLostChargeActivities = ({ sql, payments }: { sql: Sql; payments: PaymentClient }) => ({
  /** Looks up a charge that got no response. Safe to retry: it only reads. */
  async findCharge({ charge }: { charge: ChargeRequest }): Promise<{ outcome?: ChargeOutcome }> {
    const outcome = await calling(() =>
      payments.findCharge(charge.chargeKey, charge.customerId, callLimits().timeoutMs),
    );
    return outcome ? { outcome } : {};
  },

  /** Records the result of the charge. Safe to retry: a success is never taken back. */
  async recordPayment(input: { taskId: string; attempt: number; outcome: ChargeOutcome }): Promise<void> {
    const { taskId, attempt, outcome } = input;
    const reason = outcome.status === 'failed' ? outcome.reason : null;
    await settlePayment(sql, { taskId, attempt, ...outcome, reason });
  },
});

export type LostChargeActivities = ReturnType<typeof createLostChargeActivities>;
