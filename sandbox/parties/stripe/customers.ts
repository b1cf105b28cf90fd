import { z } from 'zod';
import { attach, paymentMethod } from './cards.js';
import {
  endpoint,
  existing,
  mergeMetadata,
  metadata,
  nothing,
  page,
  paging,
  referred,
  text,
} from './endpoint.js';
import { newBase, newId, type Customer } from './objects.js';
import { search, searchForm } from './search.js';
import type { StripeStore } from './store.js';

const fields = {
  email: z
    .string()
    .refine((email) => /^(?:[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)?$/.test(email), 'not an e-mail address'),
  name: z.string().max(256),
  phone: z.string(),
  description: z.string(),
  address: z.record(z.string(), z.string()),
  metadata,
  invoice_settings: z.strictObject({ default_payment_method: text }),
};
const updateForm = z.strictObject(fields).partial();
const createForm = updateForm.extend({ payment_method: text.optional() });

/** Copies the form's values; an empty text removes one. */
function change(store: StripeStore, customer: Customer, form: z.infer<typeof updateForm>): Customer {
  const { metadata: given, invoice_settings: invoice, ...plain } = form;
  if (invoice) referred(store, 'payment_method', invoice.default_payment_method, 'invoice_settings');
  const texts = Object.fromEntries(
    Object.entries(plain).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value === '' ? null : value]],
    ),
  );
  return store.put({
    ...customer,
    ...texts,
    ...(invoice && { invoice_settings: invoice }),
    metadata: mergeMetadata(customer.metadata, given),
  });
}

export const customerEndpoints = [
  endpoint('customers.create', 'POST', '/customers', createForm, (store, form) => {
    const { payment_method: method, ...rest } = form;
    const blank: Customer = {
      ...newBase(newId('cus')),
      object: 'customer',
      email: null,
      name: null,
      phone: null,
      description: null,
      address: null,
      invoice_settings: { default_payment_method: null },
    };
    if (method !== undefined) attach(store, paymentMethod(store, method, 'payment_method'), blank.id);
    return change(store, blank, rest);
  }),
  endpoint('customers.retrieve', 'GET', '/customers/:id', nothing, (store, _form, id) =>
    existing(store, 'customer', id),
  ),
  endpoint('customers.update', 'POST', '/customers/:id', updateForm, (store, form, id) =>
    change(store, existing(store, 'customer', id), form),
  ),
  endpoint(
    'customers.list',
    'GET',
    '/customers',
    z.strictObject({ ...paging, email: text.optional() }),
    (store, { email, ...rest }) =>
      page(
        '/customers',
        store.list('customer').filter((customer) => email === undefined || customer.email === email),
        rest,
      ),
  ),
  endpoint('customers.search', 'GET', '/customers/search', searchForm, (store, form) =>
    search('/customers/search', store.list('customer'), ['email', 'name', 'phone'], form),
  ),

  endpoint('paymentMethods.retrieve', 'GET', '/payment_methods/:id', nothing, (store, _form, id) =>
    paymentMethod(store, id),
  ),
  endpoint(
    'paymentMethods.attach',
    'POST',
    '/payment_methods/:id/attach',
    z.strictObject({ customer: text }),
    (store, { customer }, id) => {
      referred(store, 'customer', customer, 'customer');
      return attach(store, paymentMethod(store, id), customer);
    },
  ),
  endpoint('paymentMethods.detach', 'POST', '/payment_methods/:id/detach', nothing, (store, _form, id) =>
    store.put({ ...paymentMethod(store, id), customer: null }),
  ),
];
