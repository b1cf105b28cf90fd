/** Prefix of the ids of dunning runs; work items name them. */
export const paymentRecoveryPrefix = 'payment-recovery:';

/** The condition for a retry of a declined charge (D107). */
export type Remedy = 'time' | 'card' | 'authentication';

/** Recorded for a charge that was not made because its discount has ended (D37). */
export const couponEndedReason = 'coupon no longer valid';
/** Recorded for a charge that the processor never received, or not under a valid key, so no bank has declined it. */
export const neverReachedReason = 'the charge never reached the processor';
export const noCardReason = 'no saved card';

/** Soft declines: a later try with the same card may succeed. */
const passing: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'processing_error',
  'try_again_later',
  'issuer_not_available',
  neverReachedReason,
]);

/** The remedy for a reason: time for soft declines, a new card for every unknown reason (D107). */
export function remedyOf(reason: string | null): Remedy {
  if (reason === 'authentication_required') return 'authentication';
  return reason !== null && passing.has(reason) ? 'time' : 'card';
}

/** The condition for the next charge of the saved card: nothing but time, if it was not charged for this debt yet. */
export function remedyOfSaved(debt: {
  savedPaymentMethodId: string | null;
  savedReason: string | null;
}): Remedy {
  if (debt.savedPaymentMethodId === null) return 'card';
  return debt.savedReason === null ? 'time' : remedyOf(debt.savedReason);
}

/** The patient is shown the price without the discount, and may pay it. */
export const hasCouponEnded = ({ reason, savedReason }: Record<'reason' | 'savedReason', string | null>) =>
  reason === couponEndedReason || savedReason === couponEndedReason;

/** The reason in words for the patient. It reveals nothing that only the bank knows. */
export function reasonText(reason: string | null): string {
  if (reason === couponEndedReason) return 'Your coupon is no longer valid.';
  if (reason === noCardReason) return 'We have no card of yours.';
  switch (remedyOf(reason)) {
    case 'authentication':
      return 'Your bank asks you to confirm it.';
    case 'time':
      return 'We will try again, or you can use another card.';
    case 'card':
      return 'Your card was declined. Please use another card.';
  }
}

/** The reason as a code, for work items (D109). */
export const failureCode = (reason: string | null): string =>
  reason !== null && /^[a-z][a-z_ ]{0,60}$/.test(reason) ? reason.replaceAll(' ', '_') : 'charge_refused';

/** `29900, usd` becomes `$299.00`. */
export const amountText = (amountCents: number, currency: string): string => {
  const amount = (amountCents / 100).toFixed(2);
  return currency === 'usd' ? `$${amount}` : `${amount} ${currency.toUpperCase()}`;
};

export const dunningStates = ['open', 'paid', 'cancelled', 'unpaid'] as const;
/** `unpaid`: the time to pay is over, and a work item is open. */
export type DunningState = (typeof dunningStates)[number];

/** Epoch milliseconds. */
export interface DunningPlan {
  retriesAt: number[];
  endsAt: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The plan from `PAYMENT_RETRY_DAYS` and `PAYMENT_RECOVERY_DAYS`, which may be fractions of a day. */
export const planOf = (
  openedAt: number,
  { retryDays, recoveryDays }: { retryDays: readonly number[]; recoveryDays: number },
): DunningPlan => ({
  retriesAt: retryDays
    .filter((days) => days < recoveryDays)
    .map((days) => Math.round(openedAt + days * dayMs)),
  endsAt: Math.round(openedAt + recoveryDays * dayMs),
});

/** The card that a patient enters on the payment page; without one, the saved card is charged. */
export interface HandedInCard {
  paymentMethodId?: string | undefined;
  setupIntentId?: string | undefined;
}

export const isHandedIn = (card: HandedInCard): boolean =>
  card.paymentMethodId !== undefined || card.setupIntentId !== undefined;

/** A card at the processor that can be charged. */
export interface ChargeableCard {
  customerId: string;
  paymentMethodId: string;
}

/** The payment's status; `pending`: the processor has not confirmed the charge yet. */
export interface PayAnswer {
  paid: boolean;
  status: 'pending' | 'succeeded' | 'failed';
}
