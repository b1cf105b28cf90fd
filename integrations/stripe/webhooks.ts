import Stripe from 'stripe';
import { z } from 'zod';
import { connect, type ProcessorSettings, unlessMissing } from './sdk.js';

const toleranceSeconds = 300;
const lookUpWithinMs = 5_000;

interface ChargeMark {
  /** The task, or a refill's reference. */
  reference: string;
  attempt: number;
}

/** A change of a payment of ours; `mark` is null if the object does not name the task. */
export type ProcessorNews =
  | { kind: 'charged'; mark: ChargeMark; paymentIntentId: string; amountCents: number }
  | { kind: 'declined'; mark: ChargeMark; paymentIntentId: string; reason: string }
  | { kind: 'refunded'; mark: ChargeMark | null; paymentIntentId: string; refundedCents: number }
  | { kind: 'disputed'; disputeId: string; paymentIntentId: string; reason: string };

/** A signed webhook; `news` is null if it is irrelevant to us. */
interface ProcessorEvent {
  id: string;
  type: string;
  news: ProcessorNews | null;
}

const id = z.string().min(1).max(255);
const metadata = z.record(z.string(), z.string()).nullish();
const code = z.string().max(100).nullish();
const envelope = z.object({ id, type: id, data: z.object({ object: z.unknown() }) });
const intent = z.object({
  id,
  status: z.string(),
  amount: z.int().nonnegative(),
  metadata,
  last_payment_error: z.object({ decline_code: code, code }).nullish(),
});
const charge = z.object({ payment_intent: id, amount_refunded: z.int().nonnegative(), metadata });
const dispute = z.object({ id, charge: id, payment_intent: id.nullish(), reason: z.string().max(100) });

export function createWebhookReader(settings: ProcessorSettings & { webhookSecret: string | undefined }) {
  const stripe = connect(settings);
  const perCall = { timeout: lookUpWithinMs, maxNetworkRetries: 0 };
  return {
    /** Verifies and parses the received bytes (D108). */
    read(raw: Buffer, signature: string): ProcessorEvent | 'unsigned' | 'malformed' {
      if (settings.webhookSecret === undefined) return 'unsigned';
      try {
        const signed: unknown = stripe.webhooks.constructEvent(
          raw,
          signature,
          settings.webhookSecret,
          toleranceSeconds,
        );
        const { id, type, data } = envelope.parse(signed);
        return { id, type, news: newsOf(type, data.object) };
      } catch (error) {
        return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'unsigned' : 'malformed';
      }
    },

    /** The task of a payment intent; undefined if it is not ours. @throws OutboundError */
    findMark: async (paymentIntentId: string) => {
      const found = await unlessMissing(lookUpWithinMs, () =>
        stripe.paymentIntents.retrieve(paymentIntentId, {}, perCall),
      );
      return found && markOf(found.metadata);
    },
  };
}

/** @throws ZodError if the object does not match its type */
function newsOf(type: string, object: unknown): ProcessorNews | null {
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      const { id: paymentIntentId, status, last_payment_error: error, ...rest } = intent.parse(object);
      const mark = markOf(rest.metadata);
      if (!mark) return null;
      // A late webhook has the intent's present status, which counts.
      if (type === 'payment_intent.succeeded')
        return status === 'succeeded'
          ? { kind: 'charged', mark, paymentIntentId, amountCents: rest.amount }
          : null;
      const reason = error?.decline_code ?? error?.code ?? 'card_declined';
      return status === 'succeeded' ? null : { kind: 'declined', mark, paymentIntentId, reason };
    }
    case 'charge.refunded': {
      const {
        payment_intent: paymentIntentId,
        amount_refunded: refundedCents,
        ...rest
      } = charge.parse(object);
      return { kind: 'refunded', mark: markOf(rest.metadata) ?? null, paymentIntentId, refundedCents };
    }
    case 'charge.dispute.created': {
      const { id: disputeId, payment_intent: paymentIntentId, reason } = dispute.parse(object);
      // All our charges have an intent.
      return paymentIntentId ? { kind: 'disputed', disputeId, paymentIntentId, reason } : null;
    }
    default:
      return null;
  }
}

/** From the metadata of our charge (`charge:<reference>:<n>`). */
function markOf(metadata: Readonly<Record<string, string>> | null | undefined): ChargeMark | undefined {
  const { task_id: reference, charge_key: key } = metadata ?? {};
  const attempt = Number(/:(\d{1,6})$/.exec(key ?? '')?.[1]);
  if (reference === undefined || key !== `charge:${reference}:${attempt}`) return undefined;
  return { reference, attempt };
}
