import type { CardError, PaymentMethod } from './objects.js';
import type { StripeStore } from './store.js';

const MESSAGES: Record<string, string> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
};
/** Those that are codes of their own; every other word is a `card_declined`. */
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
/** Those that are saved all the same and fail when they are charged. */
const SAVED_ALL_THE_SAME = ['0341', '3184', '0069'];

/** What the bank says to this card; null when it pays, as it does from an authentication on. */
export const cardAnswer = (store: StripeStore, { id, card }: PaymentMethod): CardError | null =>
  store.find('bank_answer', id) ? null : (BY_LAST4[card.last4] ?? null);

/** What the bank says when this card is saved. */
export const savingAnswer = (store: StripeStore, method: PaymentMethod): CardError | null =>
  SAVED_ALL_THE_SAME.includes(method.card.last4) ? null : cardAnswer(store, method);

/** What the bank says to a charge: what it was told to say to this customer's, else what the card gets. */
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

/** Tells the bank what to say to the charges of a customer; `paid` takes it back. */
export function tellBank(store: StripeStore, customer: string, answer: string, times: number | null): void {
  if (answer === 'paid') store.delete('bank_answer', customer);
  else store.put({ object: 'bank_answer', id: customer, answer, times });
}

/** The bank has seen who holds this card: it is paid from now on, unless the bank is told something else later. */
export function authenticate(store: StripeStore, method: PaymentMethod): void {
  store.put({ object: 'bank_answer', id: method.id, answer: 'paid', times: null });
  const { customer } = method;
  if (customer !== null && store.find('bank_answer', customer)?.answer === 'authentication_required')
    tellBank(store, customer, 'paid', null);
}
