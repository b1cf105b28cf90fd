import type { Owed } from '../../integrations/orchestrator/client.js';

/** The amount owed, or the reason why the link is not valid (D107). */
export type PayPageState = { owed: Owed } | { error: string };

/** Writes the content into the page, so that it reads without its script too. */
export function fillPayPage(page: string, state: PayPageState): string {
  const { heading, lines } = contentOf(state);
  const owed = 'owed' in state && state.owed?.status === 'failed' ? state.owed : undefined;
  const values: Record<string, string> = {
    heading,
    lines: lines.map((line) => `<p>${line}</p>`).join('\n      '),
    needs: owed?.needs ?? 'none',
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

const amountOf = ({ amountCents, currency }: NonNullable<Owed>): string => {
  const amount = (amountCents / 100).toFixed(2);
  return currency === 'usd' ? `$${amount}` : `${amount} ${currency.toUpperCase().replace(/[^A-Z]/g, '')}`;
};
