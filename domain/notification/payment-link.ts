import { textOf } from './template.js';
import type { Variables } from './notification-types.js';

/**
 * Adds `paymentLinkText` and `paymentSentence` for mails about a payment (D107). Both are empty without a
 * `paymentUrl`, because templates have no conditions. They replace a sender's values of these names.
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
