import { failureTypes } from '../../domain/failures.js';
import {
  type ChargeableCard,
  couponEndedReason,
  neverReachedReason,
  noCardReason,
} from '../../domain/orchestrator/dunning.js';
import { isTold } from '../../db/orchestrator/dunning.js';
import { factKey } from '../../domain/clients.js';
import { chargeableCents, discountedCents, fullPriceCents } from '../../domain/orchestrator/pricing.js';
import type { Sql } from '../../db/client.js';
import { isCancelled } from '../../db/orchestrator/tasks.js';
import { findOrder } from '../../db/orchestrator/orders.js';
import {
  type OpenedPayment,
  openPayment,
  openPaymentAgain,
  openPaymentWithCoupon,
} from '../../db/orchestrator/payment-attempts.js';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import { findPayment, type Payment } from '../../db/orchestrator/payments.js';
import { type ChargeRequest, type Coupon, isCouponOf } from '../../integrations/stripe/client.js';
import { permanentFailure } from '../calls.js';

/** The next move of step 5: a charge, nothing (a coupon covers it all, or it is paid), or a coupon to look up first. */
export type OpenedCharge =
  | { kind: 'nothing' }
  /** This same call failed before, but its response was lost. */
  | { kind: 'failed'; reason: string; isDeclined: boolean }
  | { kind: 'coupon'; couponId: string }
  | {
      kind: 'charge';
      attempt: number;
      charge: ChargeRequest;
      /** No earlier request can exist, so the charge needs no lookup first. */
      isFirst: boolean;
    };

export interface ChargeInput {
  taskId: string;
  emrPatientId: string;
  /** The medication's price; a plan price saved with the card takes precedence (D87). */
  priceCents: number;
  /** The processor's coupon; null when it has none by that code, `unanswered` when it did not say. */
  coupon?: Coupon | null | 'unanswered';
  /** The API key that requested the approval (D88). */
  requestedBy?: string | undefined;
  /** Identifies the call: a repeat after a lost process opens no second charge. */
  callId?: string;
  /** Takes this amount, whatever the price, plan and coupon, or what is left of the refund (D155). */
  fixedCents?: number;
  /** A card that the patient hands in for this charge; it is saved once it has paid (D160). */
  card?: ChargeableCard;
  /** The patient saw the price without the ended coupon and pays it (D107). */
  fullPriceAgreed?: boolean;
}

/**
 * Fixes the amount of the task's charge, and redeems the coupon with it (D37, D87). Safe to repeat: the first call
 * decides; later ones read its decision.
 * @throws Rejected when the patient has no card, the coupon is no longer what was agreed, or the task was cancelled
 */
export async function openCharge(sql: Sql, input: ChargeInput): Promise<OpenedCharge> {
  const { taskId, emrPatientId, priceCents, fullPriceAgreed = false } = input;
  const { callId = null, requestedBy = null, fixedCents, card } = input;
  // Together, as the step waits for each of them. A cancellation from now on is seen once the attempt is pending.
  const [decided, isTaskCancelled, saved] = await Promise.all([
    findPayment(sql, taskId),
    isCancelled(sql, taskId),
    findPaymentProfile(sql, emrPatientId),
  ]);
  const isAgain = decided !== undefined;
  // A settled charge stays settled, even if the task was cancelled since.
  if (decided && (decided.status === 'succeeded' || isFailedBy(callId, decided)))
    return asOpenedCharge({ payment: decided, isFirst: false }, callId);
  if (isTaskCancelled) throw taskCancelled();
  if (decided?.status === 'pending') return asOpenedCharge({ payment: decided, isFirst: false }, callId);

  const profile = card ? { ...(saved ?? unagreed), ...card } : saved;
  const isCapped = decided && (isShown(decided, input) || (await isTold(sql, taskId)));
  const mostCents = isCapped ? decided.amountCents : Infinity;
  const isSaved = profile?.paymentMethodId === saved?.paymentMethodId;
  const payment = (verdict: Pick<Payment, 'amountCents' | 'status' | 'reason' | 'couponId'>) => ({
    taskId,
    emrPatientId,
    requestedBy,
    callId,
    customerId: profile?.customerId ?? null,
    paymentMethodId: profile?.paymentMethodId ?? null,
    currency: profile?.currency ?? 'usd',
    handedInAt: isSaved ? null : new Date(),
    ...verdict,
  });
  const owed = (reducedCents: number, takenOff: string | null) => {
    const amountCents = chargeableCents(Math.min(reducedCents, mostCents));
    const status = amountCents === 0 ? ('succeeded' as const) : ('pending' as const);
    return payment({ amountCents, status, reason: null, couponId: takenOff });
  };
  // Nothing to charge needs no card.
  if (!profile && chargeableCents(priceCents) === 0)
    return asOpenedCharge(await openPayment(sql, owed(priceCents, null), isAgain), callId);
  if (!profile) {
    const failed = { status: 'failed', reason: noCardReason, couponId: null } as const;
    await openPayment(sql, payment({ ...failed, amountCents: Math.min(priceCents, mostCents) }), isAgain);
    throw permanentFailure(failureTypes.rejected, 'The patient has no saved card');
  }
  if (fixedCents !== undefined) {
    const fixed = { amountCents: fixedCents, status: 'pending', reason: null, couponId: null } as const;
    const opened = await openPaymentAgain(sql, payment(fixed));
    if (!opened) throw permanentFailure(failureTypes.rejected, 'Nothing of the refund is left to charge');
    return asOpenedCharge(opened, callId);
  }
  const { couponId, currency } = profile;
  if (couponId !== null && input.coupon === undefined) return { kind: 'coupon', couponId };

  const order = profile.intakeType === null ? undefined : await findOrder(sql, taskId);
  const fullCents = fullPriceCents(profile, { medication: order?.medication, listPriceCents: priceCents });
  if (couponId !== null && input.coupon === 'unanswered' && !fullPriceAgreed) {
    // The coupon may hold, so a later try looks again.
    const unknown = { status: 'failed', reason: neverReachedReason, couponId: null } as const;
    await openPayment(sql, payment({ ...unknown, amountCents: Math.min(fullCents, mostCents) }), isAgain);
    throw permanentFailure(failureTypes.rejected, 'The processor did not say whether the coupon holds');
  }
  const coupon = input.coupon === 'unanswered' ? null : input.coupon;
  const failed = { amountCents: fullCents, status: 'failed', reason: couponEndedReason } as const;
  if (couponId === null || (coupon ? !isCouponOf(currency, coupon) : fullPriceAgreed))
    return asOpenedCharge(await openPayment(sql, owed(fullCents, null), isAgain), callId);
  if (!coupon) {
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
  return asOpenedCharge(opened, callId);
}

/** The terms of a patient without a saved card. */
const unagreed = { couponId: null, amountCents: null, currency: 'usd', intakeType: null };

/**
 * The patient was shown the amount of the earlier attempt: a bank has declined it, or the payment page names it. So a
 * later attempt takes that much at most, whatever the price is now (D37, D107). So does a message ({@link isTold}).
 */
const isShown = ({ attempt, paymentIntentId }: Payment, { card, fullPriceAgreed = false }: ChargeInput) =>
  attempt > 1 || paymentIntentId !== null || card !== undefined || fullPriceAgreed;

export const taskCancelled = () => permanentFailure(failureTypes.rejected, 'The task was cancelled');

/** The patient agreed to the discounted price only, so nothing is charged (D37). */
const couponEnded = () => permanentFailure(failureTypes.rejected, 'The coupon agreed on is no longer valid');

/** Built from business facts only, so a lost response never causes a second charge (D37). */
const chargeKey = (taskId: string, attempt: number): string => `${factKey('charge', taskId)}:${attempt}`;

/** The request of a task's charge; undefined when no card is charged. */
export function chargeRequestOf(payment: Payment): ChargeRequest | undefined {
  const { taskId, attempt, amountCents, currency, customerId, paymentMethodId } = payment;
  if (customerId === null || paymentMethodId === null) return undefined;
  const payer = { customerId, paymentMethodId };
  return { chargeKey: chargeKey(taskId, attempt), taskId, ...payer, amountCents, currency };
}

function asOpenedCharge({ payment, isFirst }: OpenedPayment, callId: string | null): OpenedCharge {
  if (isFailedBy(callId, payment)) {
    const { reason, paymentIntentId } = payment;
    return { kind: 'failed', reason: reason ?? 'declined', isDeclined: paymentIntentId !== null };
  }
  const charge = chargeRequestOf(payment);
  // A failed charge is not reopened once its task is cancelled (D104).
  if (payment.status !== 'pending' || !charge) return { kind: 'nothing' };
  return { kind: 'charge', attempt: payment.attempt, charge, isFirst };
}

const isFailedBy = (callId: string | null, payment: Payment): boolean =>
  callId !== null && payment.callId === callId && payment.status === 'failed';
