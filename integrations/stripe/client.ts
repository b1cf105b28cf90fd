import Stripe from 'stripe';
import { sha256 } from '../../platform/crypto/ids.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { asOutbound, connect, party, type ProcessorSettings, unlessMissing } from './sdk.js';

export interface ChargeRequest {
  /** Made of the approval and the attempt; equal keys are one charge. */
  chargeKey: string;
  taskId: string;
  customerId: string;
  paymentMethodId: string;
  amountCents: number;
  currency: string;
}

/** A charge that was answered came to this. */
export type ChargeOutcome =
  | { status: 'succeeded'; paymentIntentId: string }
  | { status: 'failed'; paymentIntentId: string | null; reason: string };

export interface Coupon {
  percentOff: number | null;
  amountOffCents: number | null;
  /** Counts for the first charge only. */
  once: boolean;
  /** Of an amount, in lower case; null where it is a share of any. */
  currency: string | null;
  /** How many may still have it, by the processor's count, which sees no charge of ours; null for any number (D87). */
  redemptionsLeft: number | null;
  /** Not ended, not used up, and not kept to products of the processor, which our charges do not name. */
  valid: boolean;
}

/** Whether a coupon is one for charges in a currency: an amount in another is not (D87). */
export const isCouponOf = (currency: string, coupon: Pick<Coupon, 'currency'>): boolean =>
  (coupon.currency ?? currency) === currency;

/** Of a whole charge. */
export interface Refund {
  /** Made of the charge's key; equal keys are one refund. */
  refundKey: string;
  taskId: string;
  paymentIntentId: string;
}

export interface PaymentClient {
  /** Charges the saved card off-session. @throws OutboundError when the processor gave no verdict */
  charge: (charge: ChargeRequest, timeoutMs: number) => Promise<ChargeOutcome>;
  /** The verdict on a charge made earlier under this key; undefined when there is none. @throws OutboundError */
  findCharge: (
    chargeKey: string,
    customerId: string,
    timeoutMs: number,
  ) => Promise<ChargeOutcome | undefined>;
  /** Gives back what is left of a charge; one that was given back already is left as it is. @throws OutboundError */
  refund: (refund: Refund, timeoutMs: number) => Promise<void>;
  /** A coupon by its code; undefined when the processor has none. @throws OutboundError */
  findCoupon: (code: string, timeoutMs: number) => Promise<Coupon | undefined>;
}

/** The processor makes no coupon with a longer id. */
const maxCouponCode = 500;
/** Whether a code can be a coupon's id. One with a slash, or of dots alone, would be another path of the processor. */
const isCouponId = (code: string): boolean =>
  code.length <= maxCouponCode && !/[/\\]/.test(code) && !/^\.*$/.test(code);

export function createPaymentClient(settings: ProcessorSettings): PaymentClient {
  const stripe = connect(settings);
  return {
    async charge({ chargeKey, taskId, customerId, paymentMethodId, amountCents, currency }, timeoutMs) {
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency,
            customer: customerId,
            payment_method: paymentMethodId,
            off_session: true,
            confirm: true,
            metadata: { charge_key: chargeKey, task_id: taskId },
          },
          { idempotencyKey: headerOf(chargeKey), timeout: timeoutMs, maxNetworkRetries: 0 },
        );
        return verdict(intent) ?? unanswered();
      } catch (error) {
        return refusalOrThrow(error, timeoutMs);
      }
    },

    async findCharge(chargeKey, customerId, timeoutMs) {
      try {
        // The customer's list is consistent at once; the processor's search lags behind by up to a minute.
        for await (const intent of stripe.paymentIntents.list(
          { customer: customerId, limit: 100 },
          { timeout: timeoutMs, maxNetworkRetries: 0 },
        )) {
          if (intent.metadata['charge_key'] === chargeKey) return verdict(intent) ?? unanswered();
        }
        return undefined;
      } catch (error) {
        throw asOutbound(error, timeoutMs);
      }
    },

    async refund({ refundKey, taskId, paymentIntentId }, timeoutMs) {
      try {
        const { status } = await stripe.refunds.create(
          {
            payment_intent: paymentIntentId,
            reason: 'requested_by_customer',
            metadata: { refund_key: refundKey, task_id: taskId },
          },
          { idempotencyKey: headerOf(refundKey), timeout: timeoutMs, maxNetworkRetries: 0 },
        );
        if (status === 'failed' || status === 'canceled')
          throw new OutboundError(party, { kind: 'status', status: 402, body: '' });
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (error instanceof Stripe.errors.StripeError && code === 'charge_already_refunded') return;
        throw asOutbound(error, timeoutMs);
      }
    },

    findCoupon: (code, timeoutMs) =>
      unlessMissing(timeoutMs, async () => {
        if (!isCouponId(code)) return undefined;
        const coupon = await stripe.coupons.retrieve(
          code,
          { expand: ['applies_to'] },
          { timeout: timeoutMs, maxNetworkRetries: 0 },
        );
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

/** A key as a header can carry it: itself when plain, else its hash. */
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
      return {
        status: 'failed',
        paymentIntentId: intent.id,
        reason: decline_code ?? code ?? 'card_declined',
      };
    }
    case 'canceled':
      return { status: 'failed', paymentIntentId: intent.id, reason: 'canceled' };
    default:
      return undefined;
  }
}

/** An intent that is still being processed: asked for again later, like a lost answer. */
const unanswered = (): never => {
  throw new OutboundError(party, { kind: 'network', code: 'processing' });
};

function refusalOrThrow(error: unknown, timeoutMs: number): ChargeOutcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    // Typed as always there, but not every refusal carries them.
    const { decline_code, code } = error as { decline_code?: string; code?: string };
    const reason = decline_code ?? code ?? 'card_declined';
    return { status: 'failed', paymentIntentId: error.payment_intent?.id ?? null, reason };
  }
  throw asOutbound(error, timeoutMs);
}
