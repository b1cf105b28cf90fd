import { z } from 'zod';
import { endpoint, existing, nothing, page, paging, text } from './endpoint.js';

const listForm = z.strictObject({
  ...paging,
  payment_intent: text.optional(),
  customer: text.optional(),
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
    (store, { payment_intent: intent, customer, ...rest }) =>
      page(
        '/charges',
        store
          .list('charge')
          .filter(
            (charge) =>
              (intent === undefined || charge.payment_intent === intent) &&
              (customer === undefined || charge.customer === customer),
          ),
        rest,
      ),
  ),
];
