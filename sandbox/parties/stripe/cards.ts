import { declined, invalid, missing } from './errors.js';
import { newBase, newId, type CardError, type PaymentMethod } from './objects.js';
import type { StripeStore } from './store.js';

const VISA = { brand: 'visa', last4: '4242' };
const DECLINED = { brand: 'visa', last4: '0002' };
const INSUFFICIENT_FUNDS = { brand: 'visa', last4: '9995' };

/** Stripe's test payment methods. Each use of one makes a payment method with an id of its own. */
const TEST_CARDS: Record<string, { brand: string; last4: string }> = {
  pm_card_visa: VISA,
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_chargeCustomerFail: { brand: 'visa', last4: '0341' },
  pm_card_chargeDeclined: DECLINED,
  pm_card_visa_chargeDeclined: DECLINED,
  pm_card_chargeDeclinedInsufficientFunds: INSUFFICIENT_FUNDS,
  pm_card_visa_chargeDeclinedInsufficientFunds: INSUFFICIENT_FUNDS,
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184' },
};

const cardError = (code: string, declineCode: string, message: string): CardError => ({
  type: 'card_error',
  code,
  decline_code: declineCode,
  message,
});
const GENERIC_DECLINE = cardError('card_declined', 'generic_decline', 'Your card was declined.');
const NO_FUNDS = cardError('card_declined', 'insufficient_funds', 'Your card has insufficient funds.');

export const AUTHENTICATION_REQUIRED = cardError(
  'authentication_required',
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
);

/** What the bank says to a charge of this card; null when it pays. */
export function bankAnswer({ card }: PaymentMethod): CardError | null {
  switch (card.last4) {
    case '0341':
    case '0002':
      return GENERIC_DECLINE;
    case '9995':
      return NO_FUNDS;
    case '3184':
      return AUTHENTICATION_REQUIRED;
    default:
      return null;
  }
}

/** The bank is asked when a card is saved too; 0341 passes that and fails every charge. */
const savingAnswer = (method: PaymentMethod): CardError | null => {
  const answer = bankAnswer(method);
  return method.card.last4 === '0341' || answer === AUTHENTICATION_REQUIRED ? null : answer;
};

/** The payment method with this id, or a new one for a test id. */
export function paymentMethod(store: StripeStore, id: string, param?: string): PaymentMethod {
  const known = store.find('payment_method', id);
  if (known) return known;
  const card = TEST_CARDS[id];
  if (!card) throw missing('PaymentMethod', id, param);
  return store.put({
    ...newBase(newId('pm')),
    object: 'payment_method',
    type: 'card',
    customer: null,
    card: {
      ...card,
      exp_month: 12,
      exp_year: new Date().getFullYear() + 3,
      country: 'US',
      funding: 'credit',
    },
    billing_details: { name: null, email: null, phone: null, address: null },
  });
}

/** Saves a card for a customer. @throws StripeFailure 402 when the bank refuses, 400 when it is somebody else's. */
export function attach(store: StripeStore, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw invalid('The payment method you provided has already been attached to a customer.');
  }
  const refused = savingAnswer(method);
  if (refused) throw declined(refused, { payment_method: method });
  return store.put({ ...method, customer });
}
