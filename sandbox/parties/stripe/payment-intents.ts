import { z } from 'zod';
import { AUTHENTICATION_REQUIRED, chargeAnswer } from './bank.js';
import { paymentMethod } from './cards.js';
import {
  checkAmount,
  endpoint,
  existing,
  flag,
  integer,
  metadata,
  nothing,
  page,
  paging,
  referred,
  text,
} from './endpoint.js';
import { declined, invalid } from './errors.js';
import { epochSeconds, newBase, newId, type PaymentIntent, type PaymentMethod } from './objects.js';
import { search, searchForm } from './search.js';
import type { StripeStore } from './store.js';

const createForm = z.strictObject({
  amount: integer,
  currency: text,
  customer: text.optional(),
  payment_method: text.optional(),
  confirm: flag.default(false),
  off_session: flag.default(false),
  description: z.string().optional(),
  metadata: metadata.optional(),
  payment_method_types: z.array(z.literal('card')).optional(),
  automatic_payment_methods: z.strictObject({ enabled: flag, allow_redirects: text.optional() }).optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  error_on_requires_action: flag.optional(),
  receipt_email: z.string().optional(),
  return_url: text.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
  statement_descriptor_suffix: z.string().optional(),
});
const confirmForm = z.strictObject({
  payment_method: text.optional(),
  off_session: flag.default(false),
  return_url: text.optional(),
});
const cancelForm = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
});
const listForm = z.strictObject({ ...paging, customer: text.optional() });

const unexpectedState = (message: string, intent: PaymentIntent) =>
  invalid(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });

/** Charges the card. A decline is stored on the intent and thrown as 402. */
function confirm(
  store: StripeStore,
  intent: PaymentIntent,
  methodId: string | null,
  offSession: boolean,
): PaymentIntent {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
      intent,
    );
  }
  if (methodId === null) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method.",
      intent,
    );
  }
  const method = paymentMethod(store, methodId, 'payment_method');
  checkOwner(intent, method);

  const error = chargeAnswer(store, method, intent.customer);
  if (error === AUTHENTICATION_REQUIRED && !offSession) {
    return store.put({ ...intent, status: 'requires_action', payment_method: method.id });
  }
  const charge = store.put({
    ...newBase(newId('ch'), intent.metadata),
    object: 'charge',
    status: error ? 'failed' : 'succeeded',
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    payment_intent: intent.id,
    payment_method: method.id,
    paid: !error,
    captured: !error,
    amount_refunded: 0,
    refunded: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
  });
  if (!error) {
    return store.put({
      ...intent,
      status: 'succeeded',
      amount_received: intent.amount,
      payment_method: method.id,
      latest_charge: charge.id,
      last_payment_error: null,
    });
  }
  const refused = store.put<PaymentIntent>({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: { ...error, payment_method: method },
  });
  throw declined(error, { charge: charge.id, payment_method: method, payment_intent: refused });
}

function checkOwner(intent: PaymentIntent, method: PaymentMethod): void {
  if (method.customer === null || method.customer === intent.customer) return;
  const message =
    intent.customer === null
      ? `The PaymentMethod supplied (${method.id}) belongs to a Customer. Please include the Customer in the customer parameter.`
      : `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`;
  throw invalid(message, { param: 'payment_method' });
}

export const paymentIntentEndpoints = [
  endpoint('paymentIntents.create', 'POST', '/payment_intents', createForm, (store, form) => {
    checkAmount(form.amount);
    if (form.customer !== undefined) referred(store, 'customer', form.customer, 'customer');
    if (form.off_session && !form.confirm) {
      throw invalid('The parameter `off_session` can only be passed together with confirm=true.', {
        param: 'off_session',
      });
    }
    if (form.confirm && form.payment_method === undefined) {
      throw invalid("You cannot confirm this PaymentIntent because it's missing a payment method.", {
        code: 'payment_intent_unexpected_state',
      });
    }
    const id = newId('pi');
    const method =
      form.payment_method === undefined ? null : paymentMethod(store, form.payment_method, 'payment_method');
    const intent: PaymentIntent = {
      ...newBase(id, form.metadata),
      object: 'payment_intent',
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      client_secret: newId(`${id}_secret`),
      amount: form.amount,
      amount_received: 0,
      currency: form.currency.toLowerCase(),
      customer: form.customer ?? null,
      payment_method: method?.id ?? null,
      payment_method_types: ['card'],
      capture_method: 'automatic',
      confirmation_method: 'automatic',
      description: form.description ?? null,
      receipt_email: form.receipt_email ?? null,
      statement_descriptor_suffix: form.statement_descriptor_suffix ?? null,
      setup_future_usage: form.setup_future_usage ?? null,
      latest_charge: null,
      last_payment_error: null,
      canceled_at: null,
      cancellation_reason: null,
    };
    return form.confirm ? confirm(store, intent, intent.payment_method, form.off_session) : store.put(intent);
  }),
  endpoint('paymentIntents.retrieve', 'GET', '/payment_intents/:id', nothing, (store, _form, id) =>
    existing(store, 'payment_intent', id),
  ),
  endpoint('paymentIntents.list', 'GET', '/payment_intents', listForm, (store, { customer, ...rest }) =>
    page(
      '/payment_intents',
      store.list('payment_intent').filter((intent) => customer === undefined || intent.customer === customer),
      rest,
    ),
  ),
  endpoint('paymentIntents.search', 'GET', '/payment_intents/search', searchForm, (store, form) =>
    search(
      '/payment_intents/search',
      store.list('payment_intent'),
      ['status', 'customer', 'currency', 'amount'],
      form,
    ),
  ),
  endpoint(
    'paymentIntents.confirm',
    'POST',
    '/payment_intents/:id/confirm',
    confirmForm,
    (store, form, id) => {
      const intent = existing(store, 'payment_intent', id);
      return confirm(store, intent, form.payment_method ?? intent.payment_method, form.off_session);
    },
  ),
  endpoint('paymentIntents.cancel', 'POST', '/payment_intents/:id/cancel', cancelForm, (store, form, id) => {
    const intent = existing(store, 'payment_intent', id);
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      throw unexpectedState(
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        intent,
      );
    }
    return store.put({
      ...intent,
      status: 'canceled',
      canceled_at: epochSeconds(),
      cancellation_reason: form.cancellation_reason ?? null,
    });
  }),
];
