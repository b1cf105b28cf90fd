import type { Sql } from '../../db/client.js';
import { findPayment } from '../../db/orchestrator/payments.js';
import {
  findDueRefund,
  listUnrefunded,
  type MadeRefund,
  recordRefund,
  recordRefusedRefund,
  type RefusedRefund,
  settlePart,
  type Unrefunded,
} from '../../db/orchestrator/refunds.js';
import { failureTypes } from '../../domain/failures.js';
import { partRefundKey, refundKey } from '../../domain/orchestrator/cancellation.js';
import type {
  ChargeRequest,
  PaymentClient,
  Refund,
  RefundOutcome,
} from '../../integrations/stripe/client.js';
import { idPart } from '../../platform/crypto/ids.js';
import { calling, callLimits, permanentFailure } from '../calls.js';
import { chargeRequestOf } from './open-charge.js';

/** The refund due for a cancelled task. */
export type OwedRefund =
  | { kind: 'nothing' }
  | { kind: 'refund'; refund: OwnRefund }
  /** The charge may exist. */
  | { kind: 'doubt'; attempt: number; charge: ChargeRequest };

/** `amountCents` is the whole charge. */
export type OwnRefund = Refund & Pick<MadeRefund, 'makesUp' | 'part'> & { amountCents: number };

/** Goes with a `Rejected` failure when the processor made the refund, and it failed at once. */
export type FailedRefund = Extract<RefundOutcome, { status: 'failed' }>;

const pageSize = 50;

export const createRefundActivities = ({ sql, payments }: { sql: Sql; payments: PaymentClient }) => ({
  /** Finds the refund still due for a task's charge (D104). Safe to retry: it only reads. */
  async findOwedRefund({ taskId }: { taskId: string }): Promise<OwedRefund> {
    const payment = await findPayment(sql, taskId);
    const charge = payment && chargeRequestOf(payment);
    if (!payment || !charge || payment.status === 'failed') return { kind: 'nothing' };
    const { status, paymentIntentId, amountCents, attempt } = payment;
    if (status === 'pending') return { kind: 'doubt', attempt, charge };
    const due = paymentIntentId === null ? undefined : await findDueRefund(sql, taskId);
    if (paymentIntentId === null || !due) return { kind: 'nothing' };
    const { attempt: n, partCents, makesUp, part } = due;
    const key = part === null ? refundKey(charge.chargeKey, n) : partRefundKey(charge.chargeKey, part);
    return {
      kind: 'refund',
      refund: { refundKey: key, taskId, paymentIntentId, partCents, amountCents, makesUp, part },
    };
  },

  /**
   * Refunds what is due of a charge. Safe to retry: the processor identifies the refund by its key and rejects a second
   * one, which counts as done.
   * @returns the total that the processor has refunded of this charge
   * @throws Rejected when the processor rejects it for good; with a {@link FailedRefund} when it failed at once
   */
  async refundCharge({ amountCents, ...refund }: OwnRefund): Promise<number> {
    const outcome = await calling(() => payments.refund(refund, callLimits().timeoutMs));
    if (outcome.status === 'failed')
      throw permanentFailure(failureTypes.rejected, 'The refund failed at once', outcome);
    return outcome.refundedCents ?? amountCents;
  },

  /** Records a refund. Safe to retry: it counts the same total again. */
  recordRefund: (refund: MadeRefund) => recordRefund(sql, refund),

  /** Opens a work item for a rejected refund. Safe to retry: a charge has one such work item. */
  recordRefusedRefund: (refund: RefusedRefund) => recordRefusedRefund(sql, refund),

  /** Records that a refund that somebody asked for was rejected (D135). Safe to retry: the first record counts. */
  recordRejectedPart: (refund: { taskId: string; part: number }) =>
    settlePart(sql, { ...refund, state: 'failed' }),

  /**
   * Lists the next cancelled tasks that are not fully refunded (D153), with the parts of their workflow ids. Safe to
   * retry: it only reads.
   */
  async listUnrefunded({ after }: { after: string }): Promise<(Unrefunded & { part: string })[]> {
    const page = await listUnrefunded(sql, { after, limit: pageSize });
    return page.map((unrefunded) => ({ ...unrefunded, part: idPart(unrefunded.reference) }));
  },
});

export type RefundActivities = ReturnType<typeof createRefundActivities>;
