/** How the ids begin of the runs that get a charge paid; work items name them. */
export const paymentRecoveryPrefix = 'payment-recovery:';

/** What a refused charge needs before it may be made again (D107). */
export type Remedy = 'time' | 'card' | 'authentication';

/** Kept with a charge that failed because the discount agreed on has ended: nothing was charged (D37). */
export const couponEndedReason = 'coupon no longer valid';
/** Kept with a charge that the processor never received: no bank has said no. */
export const neverReachedReason = 'the charge never reached the processor';
/** Kept with a charge that there was no card for. */
export const noCardReason = 'no saved card';

/** A later try may bring another answer of the same card. */
const passing: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'processing_error',
  'try_again_later',
  'issuer_not_available',
  neverReachedReason,
]);

/** What a charge that failed for this reason needs: time only for soft declines, a new card for all that are not known (D107). */
export function remedyOf(reason: string | null): Remedy {
  if (reason === 'authentication_required') return 'authentication';
  return reason !== null && passing.has(reason) ? 'time' : 'card';
}

/** The reason in words for the patient, who is told nothing of what the bank knows. */
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

/** The reason as a word, for those who look after it (D109). */
export const failureCode = (reason: string | null): string =>
  reason !== null && /^[a-z][a-z_ ]{0,60}$/.test(reason) ? reason.replaceAll(' ', '_') : 'charge_refused';

/** `29900, usd` as a person reads it: `$299.00`. */
export const amountText = (amountCents: number, currency: string): string => {
  const amount = (amountCents / 100).toFixed(2);
  return currency === 'usd' ? `$${amount}` : `${amount} ${currency.toUpperCase()}`;
};

export const dunningStates = ['open', 'paid', 'cancelled', 'unpaid'] as const;
/** `unpaid`: its time is over, and a person has a work item. */
export type DunningState = (typeof dunningStates)[number];

/** When something falls due; epoch milliseconds. */
export interface DunningPlan {
  /** Of the charges that are made again, and of the reminders behind them, in order. */
  retriesAt: number[];
  /** The end of the recovery, and of the links. */
  endsAt: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The plan of a recovery that was opened then (`PAYMENT_RETRY_DAYS`, `PAYMENT_RECOVERY_DAYS`; fractions are parts of a day). */
export const planOf = (
  openedAt: number,
  { retryDays, recoveryDays }: { retryDays: readonly number[]; recoveryDays: number },
): DunningPlan => ({
  retriesAt: retryDays
    .filter((days) => days < recoveryDays)
    .map((days) => Math.round(openedAt + days * dayMs)),
  endsAt: Math.round(openedAt + recoveryDays * dayMs),
});

/** What a patient hands in on the payment page; nothing: the card that is saved. */
export interface HandedInCard {
  paymentMethodId?: string | undefined;
  setupIntentId?: string | undefined;
}

/** `status` is the payment's own; `pending`: a charge is under way, and its verdict comes later. */
export interface PayAnswer {
  paid: boolean;
  status: 'pending' | 'succeeded' | 'failed';
}
