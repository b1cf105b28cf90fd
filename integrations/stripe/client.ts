import Stripe from 'stripe';
import { clientOfKey, ownTaskId } from '../../domain/clients.js';
import { sha256 } from '../../platform/crypto/ids.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { asOutbound, connect, party, type ProcessorSettings, unlessMissing } from './sdk.js';

export interface ChargeRequest {
  /** From the approval and the attempt; equal keys are one charge. */
  chargeKey: string;
  taskId: string;
  customerId: string;
  paymentMethodId: string;
  amountCents: number;
  currency: string;
}

export type ChargeOutcome =
  | { status: 'succeeded'; paymentIntentId: string }
  | { status: 'failed'; paymentIntentId: string | null; reason: string };

export interface Coupon {
  percentOff: number | null;
  amountOffCents: number | null;
  /** Applies to the first charge only. */
  once: boolean;
  /** In lower case; null for a percentage. */
  currency: string | null;
  /** By the processor's count, which omits our charges; null without a limit (D87). */
  redemptionsLeft: number | null;
  /** Not expired or used up, and not limited to products, because our charges name none. */
  valid: boolean;
}

/** True if a coupon applies to charges in a currency (D87). */
export const isCouponOf = (currency: string, coupon: Pick<Coupon, 'currency'>): boolean =>
  (coupon.currency ?? currency) === currency;

export interface Refund {
  /** From the charge key; equal keys are one refund. */
  refundKey: string;
  taskId: string;
  paymentIntentId: string;
  /** null: all that is left. */
  partCents: number | null;
}

export type RefundOutcome =
  /** The total refunded of a charge that keeps a rest; null for one that is fully refunded. */
  | { status: 'succeeded'; refundedCents: number | null }
  /** The processor made it, and it failed at once. */
  | { status: 'failed'; refundId: string; amountCents: number };

export type PaymentClient = ReturnType<typeof createPaymentClient>;

const maxCouponCode = 500;
/** A code with a slash, or only of dots, would call another path of the processor. */
const isCouponId = (code: string): boolean =>
  code.length <= maxCouponCode && !/[/\\]/.test(code) && !/^\.*$/.test(code);

/** Charges, refunds and coupons at the payment processor. All methods throw OutboundError. */
export function createPaymentClient(settings: ProcessorSettings) {
  const stripe = connect(settings);
  return {
    /** Charges the saved card off-session. */
    async charge(
      { chargeKey, taskId, customerId, paymentMethodId, amountCents, currency }: ChargeRequest,
      timeoutMs: number,
    ): Promise<ChargeOutcome> {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency,
            customer: customerId,
            payment_method: paymentMethodId,
            off_session: true,
            confirm: true,
            metadata: { charge_key: chargeKey, ...taskOf(taskId) },
          },
          { ...once(timeoutMs), idempotencyKey: headerOf(chargeKey) },
        );
        return verdict(intent) ?? unanswered();
      } catch (error) {
        return declineOrThrow(error, timeoutMs);
      }
    },

    /** The outcome of an earlier charge with this key; undefined if there is none. */
    async findCharge(
      chargeKey: string,
      customerId: string,
      timeoutMs: number,
    ): Promise<ChargeOutcome | undefined> {
      try {
        // The list is consistent at once; the search lags by up to a minute.
        for await (const intent of stripe.paymentIntents.list(
          { customer: customerId, limit: 100 },
          once(timeoutMs),
        )) {
          if (intent.metadata['charge_key'] === chargeKey) return verdict(intent) ?? unanswered();
        }
        return undefined;
      } catch (error) {
        throw asOutbound(error, timeoutMs);
      }
    },

    /**
     * Refunds the rest of a charge or a part of it; a refunded charge stays unchanged. A part is looked for first, since
     * the processor forgets keys after a day.
     */
    async refund(
      { refundKey, taskId, paymentIntentId, partCents }: Refund,
      timeoutMs: number,
    ): Promise<RefundOutcome> {
      try {
        let refundedCents = 0;
        if (partCents !== null) {
          const made = await stripe.refunds.list(
            { payment_intent: paymentIntentId, limit: 100 },
            once(timeoutMs / 2),
          );
          const kept = made.data.filter(({ status }) => status !== 'failed' && status !== 'canceled');
          refundedCents = kept.reduce((total, { amount }) => total + amount, 0);
          if (kept.some(({ metadata }) => metadata?.['refund_key'] === refundKey))
            return { status: 'succeeded', refundedCents };
        }
        const { id, status, amount } = await stripe.refunds.create(
          {
            payment_intent: paymentIntentId,
            ...(partCents === null ? {} : { amount: partCents }),
            reason: 'requested_by_customer',
            metadata: { refund_key: refundKey, ...taskOf(taskId) },
          },
          {
            ...once(partCents === null ? timeoutMs : timeoutMs / 2),
            idempotencyKey: headerOf(refundKey),
          },
        );
        if (status === 'failed' || status === 'canceled')
          return { status: 'failed', refundId: id, amountCents: amount };
        return { status: 'succeeded', refundedCents: partCents === null ? null : refundedCents + partCents };
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (error instanceof Stripe.errors.StripeError && code === 'charge_already_refunded')
          return { status: 'succeeded', refundedCents: null };
        throw asOutbound(error, timeoutMs);
      }
    },

    /** A coupon by its code; undefined if the processor has none. */
    findCoupon: (code: string, timeoutMs: number): Promise<Coupon | undefined> =>
      unlessMissing(timeoutMs, async () => {
        if (!isCouponId(code)) return undefined;
        const coupon = await stripe.coupons.retrieve(code, { expand: ['applies_to'] }, once(timeoutMs));
        const { max_redemptions: max, times_redeemed: redeemed } = coupon;
        return {
          percentOff: coupon.percent_off,
          amountOffCents: coupon.amount_off,
          once: coupon.duration === 'once',
          currency: coupon.currency?.toLowerCase() ?? null,
          redemptionsLeft: max === null ? null : max - redeemed,
          valid: coupon.valid && coupon.applies_to === undefined,
        };
      }),
  };
}

/** The task as its client knows it, and the client if it has a name (D140). */
const taskOf = (key: string): { task_id: string; client?: string } => {
  const client = clientOfKey(key);
  return { task_id: ownTaskId(key), ...(client !== '' && { client }) };
};

/** Without the SDK's retries: workflows retry. */
const once = (timeout: number) => ({ timeout, maxNetworkRetries: 0 });

/** A key that a header can carry: unchanged if printable, otherwise its hash. */
const headerOf = (key: string): string => (/^[\x20-\x7e]{1,255}$/.test(key) ? key : `sha256-${sha256(key)}`);

/** undefined while the processor has not decided. */
function verdict(intent: Stripe.PaymentIntent): ChargeOutcome | undefined {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', paymentIntentId: intent.id };
    case 'requires_action':
    case 'requires_confirmation':
      return { status: 'failed', paymentIntentId: intent.id, reason: 'authentication_required' };
    case 'requires_payment_method': {
      const { decline_code, code } = intent.last_payment_error ?? {};
      const reason = decline_code ?? code ?? 'card_declined';
      return { status: 'failed', paymentIntentId: intent.id, reason };
    }
    case 'canceled':
      return { status: 'failed', paymentIntentId: intent.id, reason: 'canceled' };
    default:
      return undefined;
  }
}

/** The intent is still processing; the caller retries as after a lost answer. */
const unanswered = (): never => {
  throw new OutboundError(party, { kind: 'network', code: 'processing' });
};

function declineOrThrow(error: unknown, timeoutMs: number): ChargeOutcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    // Not every decline has them, although the types say so.
    const { decline_code, code } = error as { decline_code?: string; code?: string };
    const reason = decline_code ?? code ?? 'card_declined';
    return { status: 'failed', paymentIntentId: error.payment_intent?.id ?? null, reason };
  }
  throw asOutbound(error, timeoutMs);
}
