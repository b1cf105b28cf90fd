import Stripe from 'stripe';
import { noteCall } from '../../platform/http/call-log.js';
import { OutboundError } from '../../platform/http/outbound.js';

const party = 'Payment processor';

export interface ChargeRequest {
  /** Of the approval and the attempt; equal keys are one charge. */
  chargeKey: string;
  taskId: string;
  customerId: string;
  paymentMethodId: string;
  amountCents: number;
  currency: string;
}

/** What became of a charge that was answered. */
export type ChargeOutcome =
  | { status: 'succeeded'; paymentIntentId: string }
  | { status: 'failed'; paymentIntentId: string | null; reason: string };

export interface Coupon {
  percentOff: number | null;
  amountOffCents: number | null;
  /** Counts for the first charge only. */
  once: boolean;
  valid: boolean;
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
  /** A coupon by its code; undefined when the processor has none. @throws OutboundError */
  findCoupon: (code: string, timeoutMs: number) => Promise<Coupon | undefined>;
}

export function createPaymentClient(settings: { apiBase: string; secretKey: string }): PaymentClient {
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
          { idempotencyKey: chargeKey, timeout: timeoutMs, maxNetworkRetries: 0 },
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

    async findCoupon(code, timeoutMs) {
      try {
        const coupon = await stripe.coupons.retrieve(code, {}, { timeout: timeoutMs, maxNetworkRetries: 0 });
        return {
          percentOff: coupon.percent_off,
          amountOffCents: coupon.amount_off,
          once: coupon.duration === 'once',
          valid: coupon.valid,
        };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
          return undefined;
        throw asOutbound(error, timeoutMs);
      }
    },
  };
}

/** The SDK takes host and port only; a path in the configured base is put before every call. */
function connect({ apiBase, secretKey }: { apiBase: string; secretKey: string }): Stripe {
  const base = new URL(apiBase);
  const prefix = base.pathname.replace(/\/$/, '');
  return new Stripe(secretKey, {
    host: base.hostname,
    port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
    protocol: base.protocol === 'https:' ? 'https' : 'http',
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input, init) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      url.pathname = prefix + url.pathname;
      // The SDK states the length and fetch states it again, which newer undici refuses as a malformed header.
      const headers = new Headers(init?.headers);
      headers.delete('content-length');
      return noting(url, { ...init, headers });
    }),
  });
}

/** The SDK's calls in the log of calls, by the kind of object they are about. */
async function noting(url: URL, init: RequestInit): Promise<Response> {
  const startedMs = Date.now();
  const [resource = ''] = /(?<=\/v1\/)[a-z_]+/.exec(url.pathname) ?? [];
  const note = (status: number | null, error: string | null) => {
    const durationMs = Date.now() - startedMs;
    noteCall({ party, method: init.method ?? 'GET', resource, status, error, durationMs });
  };
  try {
    const response = await fetch(url, init);
    note(response.status, null);
    return response;
  } catch (error) {
    note(null, 'no answer');
    throw error;
  }
}

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

/** The SDK's errors in the one vocabulary of outbound faults; its messages may quote what was sent and stay inside. */
function asOutbound(error: unknown, timeoutMs: number): unknown {
  if (error instanceof OutboundError) return error;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    const timedOut = /timed? ?out|aborted/i.test(error.message);
    return new OutboundError(
      party,
      timedOut ? { kind: 'timeout', timeoutMs } : { kind: 'network', code: 'connection' },
    );
  }
  if (error instanceof Stripe.errors.StripeError) {
    // A call with the same key that is still under way: its verdict comes later.
    const status = error.code === 'idempotency_key_in_use' ? 429 : (error.statusCode ?? 500);
    return new OutboundError(party, { kind: 'status', status, body: '' });
  }
  return error;
}
