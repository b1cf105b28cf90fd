import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../config.js';
import { postWebhook } from '../webhook.js';
import { authenticate, tellBank } from './bank.js';
import { attach } from './cards.js';
import { StripeFailure } from './errors.js';
import { eventObject, eventTypes, signedEvent } from './events.js';
import { charge } from './charges.js';
import { failRefund, refund } from './refunds.js';
import type { StripeStore } from './store.js';

const limitQuery = z.object({ limit: z.coerce.number().int().min(1).optional() });
const bankForm = z.strictObject({
  customer: z.string().min(1),
  answer: z.string().min(1),
  times: z.int().min(1).optional(),
});
const forgetForm = z.strictObject({ olderThanSeconds: z.number().min(0) });
const emptyForm = z.strictObject({});
const at = z.iso
  .datetime({ offset: true })
  .transform((time) => new Date(time))
  .optional();
const amountCents = z.int().min(1);
const refundForm = z.strictObject({ charge: z.string().min(1), amountCents: amountCents.optional(), at });
const chargeForm = z.strictObject({
  customer: z.string().min(1),
  amountCents,
  metadata: z.record(z.string().max(40), z.string().max(500)).optional(),
  at,
});
const eventForm = z.strictObject({ type: z.enum(eventTypes), id: z.string().min(1) });

const timeOf = ({ created }: { created: number }): string => new Date(created * 1000).toISOString();

/** The processor's records, the bank, the cardholder and the dashboard. */
export function controlStripe(scope: FastifyInstance, store: StripeStore, config: Config): void {
  scope.get('/charges', (request) => ({
    charges: store
      .list('charge')
      .slice(0, limitQuery.parse(request.query).limit)
      .map((charge) => ({
        id: charge.id,
        paymentIntent: charge.payment_intent,
        paymentMethod: charge.payment_method,
        amountCents: charge.amount,
        refundedCents: charge.amount_refunded,
        currency: charge.currency,
        customer: charge.customer,
        status: charge.status,
        metadata: charge.metadata,
        at: timeOf(charge),
      })),
  }));

  scope.get('/refunds', (request) => ({
    refunds: store
      .list('refund')
      .slice(0, limitQuery.parse(request.query).limit)
      .map((made) => ({
        id: made.id,
        charge: made.charge,
        paymentIntent: made.payment_intent,
        customer: store.find('charge', made.charge)?.customer ?? null,
        amountCents: made.amount,
        currency: made.currency,
        status: made.status,
        idempotencyKey: store.keyThatMade(made.id),
        metadata: made.metadata,
        at: timeOf(made),
      })),
  }));

  // A refund on the processor's dashboard: it has no key, and only the webhook reports it.
  scope.post('/stripe/refunds', (request, reply) => {
    const { charge, amountCents: amount, at } = refundForm.parse(request.body);
    try {
      return reply.code(201).send({ refund: refund(store, { charge, amount }, at) });
    } catch (failure) {
      if (failure instanceof StripeFailure) return reply.code(409).send({ error: failure.message });
      throw failure;
    } finally {
      store.commit();
    }
  });

  scope.post<{ Params: { id: string } }>('/stripe/refunds/:id/fail', (request, reply) => {
    emptyForm.parse(request.body ?? {});
    const made = store.find('refund', request.params.id);
    if (!made) return reply.code(404).send({ error: 'Unknown refund' });
    const failed = failRefund(store, made);
    store.commit();
    return reply.send({ refund: failed });
  });

  scope.post('/stripe/charges', (request, reply) => {
    const form = chargeForm.parse(request.body);
    if (!store.find('customer', form.customer)) return reply.code(404).send({ error: 'Unknown customer' });
    const made = charge(store, form);
    store.commit();
    return reply.send({ charge: made });
  });

  scope.post('/stripe/forget-keys', (request, reply) => {
    store.forgetKeys(forgetForm.parse(request.body).olderThanSeconds * 1_000);
    return reply.send({ ok: true });
  });

  scope.post('/stripe/bank', (request, reply) => {
    const { customer, answer, times } = bankForm.parse(request.body);
    if (!store.find('customer', customer)) return reply.code(404).send({ error: 'Unknown customer' });
    tellBank(store, customer, answer, times ?? null);
    store.commit();
    return reply.send({ ok: true });
  });

  scope.get('/stripe/setup-intents', (request) => ({
    setupIntents: store
      .list('setup_intent')
      .slice(0, limitQuery.parse(request.query).limit)
      .map((intent) => ({
        id: intent.id,
        customer: intent.customer,
        paymentMethod: intent.payment_method,
        status: intent.status,
        at: timeOf(intent),
      })),
  }));

  scope.post<{ Params: { id: string } }>('/stripe/setup-intents/:id/authenticate', (request, reply) => {
    emptyForm.parse(request.body ?? {});
    const intent = store.find('setup_intent', request.params.id);
    if (!intent) return reply.code(404).send({ error: 'Unknown setup intent' });
    const method = store.find('payment_method', intent.payment_method ?? '');
    if (intent.status !== 'requires_action' || !method) {
      return reply.code(409).send({ error: `The setup intent is in the state ${intent.status}` });
    }
    if (intent.customer !== null && method.customer !== null && method.customer !== intent.customer) {
      return reply.code(409).send({ error: "The card is another customer's by now" });
    }
    authenticate(store, intent.customer === null ? method : attach(store, method, intent.customer));
    store.put({ ...intent, status: 'succeeded', last_setup_error: null });
    store.commit();
    return reply.send({ ok: true });
  });

  scope.post('/stripe/events', (request, reply) => {
    const { type, id } = eventForm.parse(request.body);
    const object = eventObject(store, type, id);
    if (object === undefined) return reply.code(404).send({ error: 'Unknown intent, charge or refund' });
    const { text, headers } = signedEvent(type, object, config.SANDBOX_STRIPE_WEBHOOK_SECRET);
    const url = `${config.SANDBOX_ORCHESTRATOR_URL}/orchestrator/webhooks/stripe`;
    return postWebhook(reply, url, headers, text);
  });
}
