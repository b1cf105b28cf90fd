import type { Sql } from '../../db/client.js';
import { findPayment } from '../../db/orchestrator/payments.js';
import { isRefundSettled, recordRefund, recordRefusedRefund } from '../../db/orchestrator/refunds.js';
import { refundKey } from '../../domain/orchestrator/cancellation.js';
import type { ChargeRequest, PaymentClient, Refund } from '../../integrations/stripe/client.js';
import { calling, callLimits } from '../calls.js';
import { chargeRequestOf } from './open-charge.js';

/** The refund due for a cancelled task. */
export type OwedRefund =
  | { kind: 'nothing' }
  | { kind: 'refund'; refund: Refund & { amountCents: number } }
  /** The charge may exist. */
  | { kind: 'doubt'; attempt: number; charge: ChargeRequest };

export const createRefundActivities = ({ sql, payments }: { sql: Sql; payments: PaymentClient }) => ({
  /** Finds the refund still due for a task's charge (D104). Safe to retry: it only reads. */
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
   * Refunds a charge in full. Safe to retry: the processor identifies the refund by its key and rejects a second one,
   * which counts as done.
   * @throws Rejected when the processor rejects it for good
   */
  async refundCharge(refund: Refund): Promise<void> {
    await calling(() => payments.refund(refund, callLimits().timeoutMs));
  },

  /** Records a refund. Safe to retry: the refunded amount only grows. */
  recordRefund: (refund: { taskId: string; refundedCents: number }) => recordRefund(sql, refund),

  /** Opens a work item for a rejected refund. Safe to retry: a charge has one such work item. */
  recordRefusedRefund: (refund: { taskId: string; workflowId: string }) => recordRefusedRefund(sql, refund),
});

export type RefundActivities = ReturnType<typeof createRefundActivities>;
