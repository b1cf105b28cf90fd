import { invalid } from './errors.js';
import type { PaymentIntent } from './objects.js';

const CLAUSE =
  /^\s*(-?)(?:metadata\[(['"])(.+?)\2\]|(status|customer|currency|amount))\s*:\s*(?:(['"])(.*?)\5|(\d+))\s*$/;

/**
 * The part of Stripe's search language used here: exact clauses on metadata, status, customer, currency and
 * amount, `-` to exclude, joined by AND.
 * @throws StripeFailure 400 for anything else
 */
export function matcher(query: string): (intent: PaymentIntent) => boolean {
  const clauses = query.split(/\s+AND\s+/i).map((clause) => {
    const match = CLAUSE.exec(clause);
    if (!match) throw invalid('We were unable to parse your search query.', { param: 'query' });
    const [, minus, , metadataKey, field, , quoted, number] = match;
    const value = quoted ?? number;
    return (intent: PaymentIntent): boolean => {
      const actual =
        metadataKey === undefined ? intent[field as 'status' | 'customer'] : intent.metadata[metadataKey];
      return (actual !== undefined && String(actual) === value) !== (minus === '-');
    };
  });
  return (intent) => clauses.every((holds) => holds(intent));
}
