import { textOf } from './template.js';
import type { Variables } from './notification-types.js';

/**
 * Adds `paymentLinkText` and `paymentSentence`, which lead to `paymentUrl` in the mails about a payment (D107). Both are
 * empty where there is none, because templates know placeholders but no conditions. A sender's own values of these names
 * are replaced.
 */
export function withPaymentLink(variables: Variables): Variables {
  const url = textOf(variables['paymentUrl'])?.trim() ?? '';
  const words = 'Pay now, or use another card';
  return {
    ...variables,
    paymentLinkText: url === '' ? '' : words,
    paymentSentence: url === '' ? '' : `\n\n${words}: ${url}`,
  };
}
