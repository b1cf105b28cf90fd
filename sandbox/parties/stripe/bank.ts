import type { CardError, PaymentMethod } from './objects.js';
import type { StripeStore } from './store.js';

const MESSAGES: Record<string, string> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
};
/** Codes of their own; every other decline is a `card_declined`. */
const OWN_CODES = ['expired_card', 'processing_error', 'authentication_required'];

const decline = (word: string): CardError => ({
  type: 'card_error',
  code: OWN_CODES.includes(word) ? word : 'card_declined',
  decline_code: word,
  message: MESSAGES[word] ?? 'Your card was declined.',
});

const GENERIC_DECLINE = decline('generic_decline');
export const AUTHENTICATION_REQUIRED = decline('authentication_required');

const BY_LAST4: Record<string, CardError> = {
  '0341': GENERIC_DECLINE,
  '0002': GENERIC_DECLINE,
  '9995': decline('insufficient_funds'),
  '3184': AUTHENTICATION_REQUIRED,
  '0069': decline('expired_card'),
};
/** Cards that can be saved and then fail when charged. */
const SAVED_ALL_THE_SAME = ['0341', '3184', '0069'];

/** The bank's answer to this card; null if it pays, as it does after an authentication. */
export const cardAnswer = (store: StripeStore, { id, card }: PaymentMethod): CardError | null =>
  store.find('bank_answer', id) ? null : (BY_LAST4[card.last4] ?? null);

/** The bank's answer when this card is saved. */
export const savingAnswer = (store: StripeStore, method: PaymentMethod): CardError | null =>
  SAVED_ALL_THE_SAME.includes(method.card.last4) ? null : cardAnswer(store, method);

/** The bank's answer to a charge: the one set for the customer, else the card's. */
export function chargeAnswer(
  store: StripeStore,
  method: PaymentMethod,
  customer: string | null,
): CardError | null {
  const told = customer === null ? undefined : store.find('bank_answer', customer);
  if (!told) return cardAnswer(store, method);
  if (told.times === 1) store.delete('bank_answer', told.id);
  else if (told.times !== null) store.put({ ...told, times: told.times - 1 });
  return decline(told.answer);
}

/** The bank's answer that also fails a refund at once: the card takes nothing back. */
export const CANCELED_CARD = 'expired_or_canceled_card';

export const takesRefunds = (store: StripeStore, customer: string | null): boolean =>
  customer === null || store.find('bank_answer', customer)?.answer !== CANCELED_CARD;

/** Sets the bank's answer to a customer's charges; `paid` removes it. */
export function tellBank(store: StripeStore, customer: string, answer: string, times: number | null): void {
  if (answer === 'paid') store.delete('bank_answer', customer);
  else store.put({ object: 'bank_answer', id: customer, answer, times });
}

/** The cardholder has authenticated: the card pays until the control API sets another answer. */
export function authenticate(store: StripeStore, method: PaymentMethod): void {
  store.put({ object: 'bank_answer', id: method.id, answer: 'paid', times: null });
  const { customer } = method;
  if (customer !== null && store.find('bank_answer', customer)?.answer === 'authentication_required')
    tellBank(store, customer, 'paid', null);
}
