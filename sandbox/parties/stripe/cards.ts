import { savingAnswer } from './bank.js';
import { declined, invalid, missing } from './errors.js';
import { newBase, newId, type PaymentMethod } from './objects.js';
import type { StripeStore } from './store.js';

const VISA = { brand: 'visa', last4: '4242' };
const DECLINED = { brand: 'visa', last4: '0002' };
const INSUFFICIENT_FUNDS = { brand: 'visa', last4: '9995' };

/** Stripe's test payment methods. Each use creates a payment method with its own id. */
const TEST_CARDS: Record<string, { brand: string; last4: string; hasExpired?: true }> = {
  pm_card_visa: VISA,
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_chargeCustomerFail: { brand: 'visa', last4: '0341' },
  pm_card_chargeDeclined: DECLINED,
  pm_card_visa_chargeDeclined: DECLINED,
  pm_card_chargeDeclinedInsufficientFunds: INSUFFICIENT_FUNDS,
  pm_card_visa_chargeDeclinedInsufficientFunds: INSUFFICIENT_FUNDS,
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184' },
  pm_card_expired: { brand: 'visa', last4: '0069', hasExpired: true },
};

/** The payment method with this id, or a new one for a test id. */
export function paymentMethod(store: StripeStore, id: string, param?: string): PaymentMethod {
  const known = store.find('payment_method', id);
  if (known) return known;
  if (!TEST_CARDS[id]) throw missing('PaymentMethod', id, param);
  const { hasExpired, ...card } = TEST_CARDS[id];
  const thisYear = new Date().getFullYear();
  return store.put({
    ...newBase(newId('pm')),
    object: 'payment_method',
    type: 'card',
    customer: null,
    card: {
      ...card,
      ...(hasExpired ? { exp_month: 1, exp_year: thisYear - 1 } : { exp_month: 12, exp_year: thisYear + 3 }),
      country: 'US',
      funding: 'credit',
    },
    billing_details: { name: null, email: null, phone: null, address: null },
  });
}

/**
 * Saves a card for a customer. @throws StripeFailure 402 if the bank declines, 400 if it belongs to another customer
 */
export function attach(store: StripeStore, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw invalid('The payment method you provided has already been attached to a customer.');
  }
  const refused = savingAnswer(store, method);
  if (refused) throw declined(refused, { payment_method: method });
  return store.put({ ...method, customer });
}
