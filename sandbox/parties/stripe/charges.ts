import { z } from 'zod';
import { dated, endpoint, existing, nothing, ofPeriod, page, paging, text } from './endpoint.js';
import { newBase, newId, type Charge } from './objects.js';
import type { StripeStore } from './store.js';

const listForm = z.strictObject({
  ...paging,
  ...dated,
  payment_intent: text.optional(),
  customer: text.optional(),
});

/** A charge that a person makes at the processor, without an intent. */
export const charge = (
  store: StripeStore,
  form: {
    customer: string;
    amountCents: number;
    metadata?: Record<string, string> | undefined;
    at?: Date | undefined;
  },
): Charge =>
  store.put<Charge>({
    ...newBase(newId('ch'), form.metadata, form.at),
    object: 'charge',
    status: 'succeeded',
    amount: form.amountCents,
    currency: 'usd',
    customer: form.customer,
    payment_intent: null,
    payment_method: store.find('customer', form.customer)?.invoice_settings.default_payment_method ?? null,
    paid: true,
    captured: true,
    amount_refunded: 0,
    refunded: false,
    failure_code: null,
    failure_message: null,
  });

export const chargeEndpoints = [
  endpoint('charges.retrieve', 'GET', '/charges/:id', nothing, (store, _form, id) =>
    existing(store, 'charge', id),
  ),
  endpoint(
    'charges.list',
    'GET',
    '/charges',
    listForm,
    (store, { payment_intent: intent, customer, created, ...rest }) =>
      page(
        '/charges',
        ofPeriod(
          store
            .list('charge')
            .filter(
              (charge) =>
                (intent === undefined || charge.payment_intent === intent) &&
                (customer === undefined || charge.customer === customer),
            ),
          created,
        ),
        rest,
      ),
  ),
];
