import type { Sql } from '../../db/client.js';
import { findPayment } from '../../db/orchestrator/payments.js';
import { isRefundSettled, recordRefund, recordRefusedRefund } from '../../db/orchestrator/refunds.js';
import { refundKey } from '../../domain/orchestrator/cancellation.js';
import type { ChargeRequest, PaymentClient, Refund } from '../../integrations/stripe/client.js';
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';
import { chargeRequestOf } from './open-charge.js';

/** What is owed to the patient of a cancelled task. */
export type OwedRefund =
  | { kind: 'nothing' }
  | { kind: 'refund'; refund: Refund & { amountCents: number } }
  /** Nobody knows yet whether the charge was made. */
  | { kind: 'doubt'; attempt: number; charge: ChargeRequest };

export const createRefundActivities = ({ sql, payments }: { sql: Sql; payments: PaymentClient }) => ({
  /** What is still to be given back of a task's charge (D104). Safe to retry: it only reads. */
  async findOwedRefund({ taskId }: { taskId: string }): Promise<OwedRefund> {
    const payment = await findPayment(sql, taskId);
    const charge = payment && chargeRequestOf(payment);
    if (!payment || !charge || payment.status === 'failed') return { kind: 'nothing' };
    const { status, paymentIntentId, amountCents, attempt } = payment;
    if (status === 'pending') return { kind: 'doubt', attempt, charge };
    if (paymentIntentId === null || (await isRefundSettled(sql, taskId))) return { kind: 'nothing' };
    const refund = { refundKey: refundKey(charge.chargeKey), taskId, paymentIntentId, amountCents };
    return { kind: 'refund', refund };
  },

  /**
   * Gives a charge back in full. @throws Rejected when the processor refuses for good
   *
   * Safe to retry: the processor knows the refund by its key, and refuses to give back what it has given back, which
   * counts as done.
   */
  async refundCharge(refund: Refund): Promise<void> {
    await calling(() => payments.refund(refund, callLimits().timeoutMs));
  },

  /** Writes that a charge was given back. Safe to retry: what was given back only grows. */
  async recordRefund(refund: { taskId: string; refundedCents: number }): Promise<void> {
    await recordRefund(sql, refund);
  },

  /** Leaves a refused refund to a person. Safe to retry: there is one work item for a charge. */
  async recordRefusedRefund(refund: { taskId: string; workflowId: string }): Promise<void> {
    await recordRefusedRefund(sql, refund);
  },
});

export type RefundActivities = ReturnType<typeof createRefundActivities>;
