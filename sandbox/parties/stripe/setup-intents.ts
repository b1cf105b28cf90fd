import { z } from 'zod';
import { cardAnswer } from './bank.js';
import { attach, paymentMethod } from './cards.js';
import { endpoint, existing, flag, metadata, nothing, referred, text } from './endpoint.js';
import { declined, invalid, StripeFailure } from './errors.js';
import { newBase, newId, type SetupIntent } from './objects.js';
import type { StripeStore } from './store.js';

const createForm = z.strictObject({
  customer: text.optional(),
  payment_method: text.optional(),
  confirm: flag.optional(),
  use_stripe_sdk: flag.optional(),
  usage: z.enum(['off_session', 'on_session']).default('off_session'),
  description: z.string().optional(),
  metadata: metadata.optional(),
  payment_method_types: z.array(z.literal('card')).optional(),
  automatic_payment_methods: z.strictObject({ enabled: flag, allow_redirects: text.optional() }).optional(),
  return_url: text.optional(),
});
const confirmForm = z.strictObject({ payment_method: text.optional(), return_url: text.optional() });

/** Checks the card with the bank and saves it for the intent's customer, if any. */
function confirm(store: StripeStore, intent: SetupIntent, methodId: string | null): SetupIntent {
  if (intent.status === 'succeeded') {
    throw invalid('You cannot confirm this SetupIntent because it has already succeeded.', {
      code: 'setup_intent_unexpected_state',
      setup_intent: intent,
    });
  }
  if (methodId === null) {
    throw invalid("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: 'setup_intent_unexpected_state',
      setup_intent: intent,
    });
  }
  const method = paymentMethod(store, methodId, 'payment_method');
  if (cardAnswer(store, method)?.code === 'authentication_required') {
    return store.put({ ...intent, status: 'requires_action', payment_method: method.id });
  }
  try {
    if (intent.customer !== null) attach(store, method, intent.customer);
  } catch (failure) {
    if (!(failure instanceof StripeFailure) || failure.status !== 402) throw failure;
    const error = cardAnswer(store, method);
    if (!error) throw failure;
    const refused = store.put({
      ...intent,
      status: 'requires_payment_method',
      payment_method: null,
      last_setup_error: error,
    });
    throw declined(error, { payment_method: method, setup_intent: refused });
  }
  return store.put({ ...intent, status: 'succeeded', payment_method: method.id, last_setup_error: null });
}

export const setupIntentEndpoints = [
  endpoint('setupIntents.create', 'POST', '/setup_intents', createForm, (store, form) => {
    if (form.customer !== undefined) referred(store, 'customer', form.customer, 'customer');
    const id = newId('seti');
    const method =
      form.payment_method === undefined ? null : paymentMethod(store, form.payment_method, 'payment_method');
    const intent = store.put<SetupIntent>({
      ...newBase(id, form.metadata),
      object: 'setup_intent',
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      client_secret: newId(`${id}_secret`),
      customer: form.customer ?? null,
      payment_method: method?.id ?? null,
      payment_method_types: ['card'],
      usage: form.usage,
      description: form.description ?? null,
      last_setup_error: null,
    });
    return form.confirm ? confirm(store, intent, intent.payment_method) : intent;
  }),
  endpoint('setupIntents.retrieve', 'GET', '/setup_intents/:id', nothing, (store, _form, id) =>
    existing(store, 'setup_intent', id),
  ),
  endpoint('setupIntents.confirm', 'POST', '/setup_intents/:id/confirm', confirmForm, (store, form, id) => {
    const intent = existing(store, 'setup_intent', id);
    return confirm(store, intent, form.payment_method ?? intent.payment_method);
  }),
];
