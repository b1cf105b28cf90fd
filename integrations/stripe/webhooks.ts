import { factKey, taskKey } from '../../domain/clients.js';
import type { ChargeMark, ProcessorNews } from '../../domain/orchestrator/processor-news.js';
import Stripe from 'stripe';
import { z } from 'zod';
import { connect, type ProcessorSettings, unlessMissing } from './sdk.js';

const toleranceSeconds = 300;
const lookUpWithinMs = 5_000;

/** A signed event that names a payment. */
interface ProcessorEvent {
  id: string;
  type: string;
  news: ProcessorNews;
}

const id = z.string().regex(/^[\x20-\x7e]{1,255}$/);
/** An expanded object counts as its id (D153). */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]);
/** In the smallest unit of any currency, so it may exceed what our columns hold. */
const amount = z.number().nonnegative();
const metadata = z.record(z.string(), z.unknown()).nullish().catch(null);
const code = z
  .string()
  .regex(/^[\x20-\x7e]{1,100}$/)
  .nullish()
  .catch(null);
const envelope = z.object({ id, type: id, data: z.object({ object: z.unknown() }) });
const intent = z.object({
  id,
  status: z.string(),
  amount: z.int32().nonnegative(),
  metadata,
  last_payment_error: z.object({ decline_code: code, code }).nullish().catch(null),
});
const charge = z.object({ payment_intent: reference, amount_refunded: amount, metadata });
const refund = z.object({
  id,
  status: z.string().nullish(),
  amount,
  payment_intent: reference.nullish(),
  charge: z.object({ payment_intent: reference }).nullish().catch(null),
  failure_reason: code,
  metadata,
});
const dispute = z.object({ id, payment_intent: reference, reason: code });

export function createWebhookReader(settings: ProcessorSettings & { webhookSecret: string | undefined }) {
  const stripe = connect(settings);
  const perCall = { timeout: lookUpWithinMs, maxNetworkRetries: 0 };
  return {
    /**
     * Verifies and parses the received bytes (D108, D153).
     * @returns null for any signed JSON that names no payment or is of another type
     */
    read(raw: Buffer, signature: string): ProcessorEvent | 'unsigned' | 'malformed' | null {
      if (settings.webhookSecret === undefined) return 'unsigned';
      try {
        // The library's own reader rejects thin events, so it only verifies here.
        const isSigned = stripe.webhooks.signature?.verifyHeader(
          raw,
          signature,
          settings.webhookSecret,
          toleranceSeconds,
        );
        return isSigned === true ? eventOf(JSON.parse(raw.toString())) : 'unsigned';
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

    /** The present total of an intent's refunds, without those that failed. @throws OutboundError */
    findRefundedCents: async (paymentIntentId: string) => {
      const charges = await unlessMissing(lookUpWithinMs, () =>
        stripe.charges.list({ payment_intent: paymentIntentId, limit: 100 }, perCall),
      );
      return charges?.data.reduce((total, { amount_refunded: cents }) => total + cents, 0);
    },
  };
}

function eventOf(signed: unknown): ProcessorEvent | null {
  const event = envelope.safeParse(signed).data;
  if (!event) return null;
  const { id, type, data } = event;
  const news = newsOf(type, data.object);
  return news && { id, type, news };
}

function newsOf(type: string, object: unknown): ProcessorNews | null {
  switch (type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
      return intentNews(type, intent.safeParse(object).data);
    case 'charge.refunded': {
      // All our charges have an intent.
      const refunded = charge.safeParse(object).data;
      if (!refunded) return null;
      const { payment_intent: paymentIntentId, amount_refunded: refundedCents } = refunded;
      return {
        kind: 'refunded',
        mark: markOf(refunded.metadata) ?? null,
        paymentIntentId,
        refundedCents,
      };
    }
    case 'charge.refund.updated':
    case 'refund.failed': {
      const failed = refund.safeParse(object).data;
      const paymentIntentId = failed?.payment_intent ?? failed?.charge?.payment_intent;
      const hasFailed = type === 'refund.failed' || ['failed', 'canceled'].includes(failed?.status ?? '');
      if (!failed || !paymentIntentId || !hasFailed) return null;
      const { id: refundId, amount: amountCents, failure_reason: reason } = failed;
      return {
        kind: 'refund_failed',
        refundId,
        ...numberOf(failed.metadata),
        paymentIntentId,
        amountCents,
        reason: reason ?? 'failed',
      };
    }
    case 'charge.dispute.created': {
      const disputed = dispute.safeParse(object).data;
      if (!disputed) return null;
      const { id: disputeId, payment_intent: paymentIntentId, reason } = disputed;
      return { kind: 'disputed', disputeId, paymentIntentId, reason: reason ?? 'general', mark: null };
    }
    default:
      return null;
  }
}

function intentNews(type: string, changed: z.infer<typeof intent> | undefined): ProcessorNews | null {
  const mark = markOf(changed?.metadata);
  if (!changed || !mark) return null;
  const { id: paymentIntentId, status, amount: amountCents, last_payment_error: error } = changed;
  // A late webhook has the intent's present status, which counts.
  if (type === 'payment_intent.succeeded')
    return status === 'succeeded' ? { kind: 'charged', mark, paymentIntentId, amountCents } : null;
  const reason = error?.decline_code ?? error?.code ?? 'card_declined';
  return status === 'succeeded' ? null : { kind: 'declined', mark, paymentIntentId, reason };
}

type Metadata = Readonly<Record<string, unknown>> | null | undefined;

/** From the metadata of our refund (`refund:<charge key>:<part>` or `refund:<charge key>~<attempt>`). */
function numberOf(metadata: Metadata): { part: number | null; attempt: number | null } {
  const key = String(metadata?.['refund_key']);
  const isOurs = (chargeKey: string | undefined) =>
    markOf({ ...metadata, charge_key: chargeKey }) !== undefined;
  const [, asked, part] = /^refund:(.+):(\d{1,6})$/.exec(key) ?? [];
  if (isOurs(asked)) return { part: Number(part), attempt: null };
  const [, own, attempt = 1] = /^refund:(.+?)(?:~(\d{1,6}))?$/.exec(key) ?? [];
  return { part: null, attempt: isOurs(own) ? Number(attempt) : null };
}

/** From the metadata of our charge (`charge:<reference>:<n>`). */
function markOf(metadata: Metadata): ChargeMark | undefined {
  const { task_id: taskId, client = '', charge_key: key } = metadata ?? {};
  if (typeof taskId !== 'string' || typeof key !== 'string' || typeof client !== 'string') return undefined;
  const reference = taskKey(client, taskId);
  if (reference.includes('\0')) return undefined;
  const attempt = Number(/:(\d{1,6})$/.exec(key)?.[1]);
  if (key !== `${factKey('charge', reference)}:${attempt}`) return undefined;
  return { reference, attempt };
}
