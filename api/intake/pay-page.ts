import type { Owed } from '../../integrations/orchestrator/client.js';
import { type Page, readPage } from '../pages.js';

/** The amount owed, or the reason why the link is not valid (D107). */
export type PayPageState = { owed: Owed } | { error: string };

/** Who asks for the payment, and with whose card fields (D163). */
export interface PayPageSettings {
  clinic: string;
  contact: string;
  /** Without it the page offers the processor's test cards. */
  publishableKey: string | undefined;
}

/** The hosts that Stripe documents for the policy of a page with Stripe.js and its Payment Element. */
const stripeHosts = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};
const stripeScript = '<script src="https://js.stripe.com/v3/"></script>';
const testCards: Record<string, string> = {
  pm_card_visa: 'Visa that pays',
  pm_card_mastercard: 'Mastercard that pays',
  pm_card_chargeCustomerFail: 'Card that is saved and then declines',
  pm_card_chargeDeclined: 'Card that cannot be saved',
  pm_card_authenticationRequired: 'Card that asks for authentication',
};

/** Reads the payment page, which may reach the payment processor only if real cards are taken. */
export const readPayPage = ({ publishableKey }: PayPageSettings): Page =>
  readPage(new URL('pay.html', import.meta.url), publishableKey === undefined ? undefined : stripeHosts);

/** Writes the content into the page, so that it reads without its script too. */
export function fillPayPage(page: string, settings: PayPageSettings, state: PayPageState): string {
  const { heading, lines } = contentOf(state);
  const owed = 'owed' in state && state.owed?.status === 'failed' ? state.owed : undefined;
  const { clinic, contact, publishableKey } = settings;
  const takesCards = publishableKey !== undefined && owed !== undefined;
  const values: Record<string, string> = {
    heading,
    lines: lines.map((line) => `<p>${line}</p>`).join('\n      '),
    needs: owed?.needs ?? 'none',
    clinic: escaped(clinic),
    contact: escaped(contact),
    key: escaped(publishableKey ?? ''),
    currency: escaped(owed?.currency ?? ''),
    stripe: takesCards ? stripeScript : '',
    card: publishableKey === undefined ? testCardSelect : '<div id="card"></div>',
  };
  return page.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '');
}

function contentOf(state: PayPageState): { heading: string; lines: string[] } {
  if ('error' in state) {
    const isExpired = state.error === 'Payment link expired';
    return {
      heading: isExpired ? 'Payment link expired' : 'Invalid payment link',
      lines: [
        isExpired
          ? 'This link has expired. Please contact us, and we will find a way together.'
          : 'Please open the link in our message to you as it stands there.',
      ],
    };
  }
  const { owed } = state;
  if (!owed) return { heading: 'Nothing is owed', lines: ['There is nothing left to pay here. Thank you.'] };
  const amount = amountOf(owed);
  if (owed.status !== 'failed')
    return {
      heading: 'Your payment is under way',
      lines: [`We are waiting for your bank’s answer on ${amount}. Please look again in a while.`],
    };
  return {
    heading: `Pay ${amount}`,
    lines: [
      ...(owed.couponEnded ? ['Your coupon is no longer valid. This is the price without it.'] : []),
      {
        card: 'Your card was declined, or there is none yet. Please use another card.',
        authentication: 'Your bank asks you to confirm this payment. You can also use another card.',
        nothing: 'You can pay with the card you saved, or use another one.',
      }[owed.needs],
    ],
  };
}

const testCardSelect = `<label>
          Test card
          <select name="card">
            ${Object.entries(testCards)
              .map(([id, name]) => `<option value="${id}">${name}</option>`)
              .join('\n            ')}
          </select>
        </label>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const amountOf = ({ amountCents, currency }: NonNullable<Owed>): string => {
  const amount = (amountCents / 100).toFixed(2);
  return currency === 'usd' ? `$${amount}` : `${amount} ${currency.toUpperCase().replace(/[^A-Z]/g, '')}`;
};
