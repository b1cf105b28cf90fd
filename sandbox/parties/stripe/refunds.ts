import { z } from 'zod';
import {
  dated,
  endpoint,
  existing,
  integer,
  metadata,
  nothing,
  ofPeriod,
  page,
  paging,
  referred,
  text,
} from './endpoint.js';
import { CANCELED_CARD, takesRefunds } from './bank.js';
import { invalid } from './errors.js';
import { newBase, newId, type Charge, type Refund } from './objects.js';
import type { StripeStore } from './store.js';

const createForm = z.strictObject({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.pipe(z.number().min(1)).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
});
const listForm = z.strictObject({
  ...paging,
  ...dated,
  charge: text.optional(),
  payment_intent: text.optional(),
});

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** The paid charge that a form names directly or by its intent. @throws StripeFailure 400 */
function chargeOf(store: StripeStore, form: z.infer<typeof createForm>): Charge {
  if (form.charge !== undefined) {
    const charge = referred(store, 'charge', form.charge, 'charge');
    if (form.payment_intent !== undefined && charge.payment_intent !== form.payment_intent) {
      throw invalid(`Charge ${charge.id} is not of PaymentIntent ${form.payment_intent}.`, {
        param: 'payment_intent',
      });
    }
    if (charge.paid) return charge;
    throw invalid(`Charge ${charge.id} has no payment to refund.`, { param: 'charge' });
  }
  if (form.payment_intent === undefined) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  const intent = referred(store, 'payment_intent', form.payment_intent, 'payment_intent');
  if (intent.status === 'succeeded' && intent.latest_charge !== null) {
    return referred(store, 'charge', intent.latest_charge, 'charge');
  }
  throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  });
}

/** Refunds the rest of a charge, or the amount in the form. @throws StripeFailure 400 */
export function refund(store: StripeStore, form: z.infer<typeof createForm>, at?: Date): Refund {
  const charge = chargeOf(store, form);
  const refunded = charge.amount_refunded;
  const left = charge.amount - refunded;
  if (left === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const { amount = left } = form;
  if (amount > left) {
    throw invalid(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      { param: 'amount' },
    );
  }
  store.put({ ...charge, amount_refunded: refunded + amount, refunded: amount === left });
  return store.put<Refund>({
    ...newBase(newId('re'), form.metadata, at),
    object: 'refund',
    status: 'succeeded',
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: form.reason ?? null,
  });
}

/** A refund that the bank returns: its amount can be refunded again. A failed one stays as it is. */
export function failRefund(store: StripeStore, made: Refund): Refund {
  if (made.status === 'failed') return made;
  const charge = existing(store, 'charge', made.charge);
  store.put({ ...charge, amount_refunded: charge.amount_refunded - made.amount, refunded: false });
  return store.put<Refund>({ ...made, status: 'failed', failure_reason: CANCELED_CARD });
}

export const refundEndpoints = [
  endpoint('refunds.create', 'POST', '/refunds', createForm, (store, form) => {
    const made = refund(store, form);
    return takesRefunds(store, existing(store, 'charge', made.charge).customer)
      ? made
      : failRefund(store, made);
  }),
  endpoint('refunds.retrieve', 'GET', '/refunds/:id', nothing, (store, _form, id) =>
    existing(store, 'refund', id),
  ),
  endpoint(
    'refunds.list',
    'GET',
    '/refunds',
    listForm,
    (store, { charge, payment_intent: intent, created, ...rest }) =>
      page(
        '/refunds',
        ofPeriod(
          store
            .list('refund')
            .filter(
              (made) =>
                (charge === undefined || made.charge === charge) &&
                (intent === undefined || made.payment_intent === intent),
            ),
          created,
        ),
        rest,
      ),
  ),
];
