import { failureTypes } from '../../domain/failures.js';
import { couponEndedReason, noCardReason } from '../../domain/orchestrator/payment-recovery.js';
import { discountedCents, fullPriceCents } from '../../domain/orchestrator/pricing.js';
import type { Sql } from '../../db/client.js';
import { isCancelled } from '../../db/orchestrator/tasks.js';
import { findOrder } from '../../db/orchestrator/orders.js';
import {
  findPayment,
  findPaymentProfile,
  openPayment,
  openPaymentWithCoupon,
  type Payment,
  settlePayment,
} from '../../db/orchestrator/payments.js';
import {
  type ChargeOutcome,
  type ChargeRequest,
  type Coupon,
  isCouponOf,
  type PaymentClient,
} from '../../integrations/stripe/client.js';
import { callLimits, triedBefore } from '../call-limits.js';
import { calling, refuse } from '../failures.js';

/**
 * What step 5 goes on with: a charge, nothing (a coupon covers it all, or it was paid before), or first the coupon,
 * which the processor must confirm.
 */
export type OpenedCharge =
  | { kind: 'nothing' }
  | { kind: 'coupon'; couponId: string }
  | {
      kind: 'charge';
      attempt: number;
      charge: ChargeRequest;
      /** Nobody can have asked the processor for it before: it may be made without looking for it. */
      isFirst: boolean;
    };

export interface ChargeInput {
  taskId: string;
  emrPatientId: string;
  /** The medication's price; a price of a plan for it, saved with the card, goes before it (D87). */
  priceCents: number;
  /** The patient's coupon as the processor has it; null when it has none by that code, or could not say. */
  coupon?: Coupon | null;
  /** The key of whoever asked for what is paid (D88). */
  requestedBy?: string | undefined;
  /** The patient was shown the price without the coupon, which had ended, and pays that (D107). */
  fullPriceAgreed?: boolean;
}

export const createPaymentActivities = ({ sql, payments }: { sql: Sql; payments: PaymentClient }) => ({
  /**
   * Step 5, first part: fixes the amount of the task's charge, and redeems the coupon with it (D37, D87).
   * @throws Rejected when the patient has no card, the coupon is no longer what was agreed, or the task was cancelled
   *
   * Safe to retry: the first call decides, later ones read what it decided, and are not the first.
   */
  async openCharge(input: ChargeInput): Promise<OpenedCharge> {
    const { taskId, emrPatientId, priceCents, coupon, requestedBy = null, fullPriceAgreed = false } = input;
    if (await isCancelled(sql, taskId)) throw taskCancelled();
    const decided = await findPayment(sql, taskId);
    const isAgain = decided !== undefined;
    if (decided && decided.status !== 'failed') return asOpenedCharge({ payment: decided, isFirst: false });

    const profile = await findPaymentProfile(sql, emrPatientId);
    const payment = (verdict: Pick<Payment, 'amountCents' | 'status' | 'reason' | 'couponId'>) => ({
      taskId,
      emrPatientId,
      customerId: profile?.customerId ?? null,
      paymentMethodId: profile?.paymentMethodId ?? null,
      currency: profile?.currency ?? 'usd',
      requestedBy,
      ...verdict,
    });
    if (!profile) {
      const failed = { amountCents: priceCents, status: 'failed', reason: noCardReason } as const;
      await openPayment(sql, payment({ ...failed, couponId: null }), isAgain);
      throw refuse(failureTypes.rejected, 'The patient has no saved card');
    }
    const { couponId, currency } = profile;
    if (couponId !== null && coupon === undefined) return { kind: 'coupon', couponId };

    // What is paid for stands in the task's record, so that runs begun before it mattered need not say it.
    const order = profile.intakeType === null ? undefined : await findOrder(sql, taskId);
    const fullCents = fullPriceCents(profile, { medication: order?.medication, listPriceCents: priceCents });
    const owed = (amountCents: number, takenOff: string | null) => {
      const status = amountCents === 0 ? ('succeeded' as const) : ('pending' as const);
      return payment({ amountCents, status, reason: null, couponId: takenOff });
    };
    const failed = { amountCents: fullCents, status: 'failed', reason: couponEndedReason } as const;
    if (couponId === null || (coupon && !isCouponOf(currency, coupon)))
      return asOpenedCharge(await openPayment(sql, owed(fullCents, null), isAgain));
    if (!coupon) {
      if (fullPriceAgreed) return asOpenedCharge(await openPayment(sql, owed(fullCents, null), isAgain));
      await openPayment(sql, payment({ ...failed, couponId }), isAgain);
      throw couponEnded();
    }
    const terms = { couponId, ...coupon, redemptionsLeft: coupon.redemptionsLeft ?? null };
    const opened = await openPaymentWithCoupon(sql, terms, { taskId, emrPatientId }, (redemption) => {
      if (redemption === 'refused' && !fullPriceAgreed) return payment({ ...failed, couponId });
      if (redemption !== 'redeemed') return owed(fullCents, null);
      return owed(discountedCents(fullCents, coupon), couponId);
    });
    if (opened.payment.reason === couponEndedReason) throw couponEnded();
    return asOpenedCharge(opened);
  },

  /** Step 5, where a coupon was agreed: what the processor says of it now. Safe to retry: it only reads. */
  async findCoupon({ couponId }: { couponId: string }): Promise<{ coupon: Coupon | null }> {
    return { coupon: (await calling(() => payments.findCoupon(couponId, callLimits().timeoutMs))) ?? null };
  },

  /**
   * Step 5, last part: charges the saved card.
   * @returns the processor's verdict, a decline included
   * @throws Unavailable when it gave none; Rejected when the task was cancelled and nobody was asked
   *
   * Safe to retry: the processor knows the charge by its key, and because it forgets keys after a day, every attempt
   * but the very first, that of an earlier run included, looks for the charge before making it.
   */
  async chargeCard({ charge, isFirst }: { charge: ChargeRequest; isFirst: boolean }): Promise<ChargeOutcome> {
    const { timeoutMs } = callLimits();
    // The attempt stands as pending by now: either this sees the cancellation, or the cancellation sees the attempt and
    // waits for what becomes of it (D104).
    const mayCharge = !(await isCancelled(sql, charge.taskId));
    return calling(async () => {
      const isAsked = !isFirst || triedBefore();
      if (!isAsked && !mayCharge) throw taskCancelled();
      if (!isAsked) return payments.charge(charge, timeoutMs);
      const callTimeoutMs = timeoutMs / 2;
      const found = await payments.findCharge(charge.chargeKey, charge.customerId, callTimeoutMs);
      // An earlier request may still be on its way: it is looked for until that is over.
      if (!found && !mayCharge) throw refuse(failureTypes.unavailable, 'The task was cancelled meanwhile');
      return found ?? (await payments.charge(charge, callTimeoutMs));
    });
  },

  /** Looks up what became of a charge that was not answered. Safe to retry: it only reads. */
  async findCharge({ charge }: { charge: ChargeRequest }): Promise<{ outcome?: ChargeOutcome }> {
    const outcome = await calling(() =>
      payments.findCharge(charge.chargeKey, charge.customerId, callLimits().timeoutMs),
    );
    return outcome ? { outcome } : {};
  },

  /** Writes the verdict into the payment state. Safe to retry: a success is never taken back. */
  async recordPayment(input: { taskId: string; attempt: number; outcome: ChargeOutcome }): Promise<void> {
    const { taskId, attempt, outcome } = input;
    const reason = outcome.status === 'failed' ? outcome.reason : null;
    await settlePayment(sql, {
      taskId,
      attempt,
      status: outcome.status,
      paymentIntentId: outcome.paymentIntentId,
      reason,
    });
  },
});

export type PaymentActivities = ReturnType<typeof createPaymentActivities>;

const taskCancelled = () => refuse(failureTypes.rejected, 'The task was cancelled');

/** Nobody agreed to more than the price less the coupon: nothing is charged (D37). */
const couponEnded = () => refuse(failureTypes.rejected, 'The coupon agreed on is no longer valid');

/** The key of a task's n-th charge: business facts only, so a lost answer never makes a second charge (D37). */
const chargeKey = (taskId: string, attempt: number): string => `charge:${taskId}:${attempt}`;

/** What a task's charge is asked for with; undefined where nobody's card is charged. */
export function chargeRequestOf(payment: Payment): ChargeRequest | undefined {
  const { taskId, attempt, amountCents, currency, customerId, paymentMethodId } = payment;
  if (customerId === null || paymentMethodId === null) return undefined;
  const payer = { customerId, paymentMethodId };
  return { chargeKey: chargeKey(taskId, attempt), taskId, ...payer, amountCents, currency };
}

function asOpenedCharge({ payment, isFirst }: { payment: Payment; isFirst: boolean }): OpenedCharge {
  const charge = chargeRequestOf(payment);
  // One that has failed is not opened again once its task is cancelled (D104).
  if (payment.status !== 'pending' || !charge) return { kind: 'nothing' };
  return { kind: 'charge', attempt: payment.attempt, charge, isFirst };
}
