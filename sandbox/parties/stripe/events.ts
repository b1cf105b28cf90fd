import { createHmac } from 'node:crypto';
import { epochSeconds, newId } from './objects.js';
import type { StripeStore } from './store.js';

export const eventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.refund.updated',
  'refund.failed',
] as const;

/** The object of an event, by the id of the intent, charge or refund. */
export function eventObject(store: StripeStore, type: (typeof eventTypes)[number], id: string): unknown {
  if (type === 'charge.refund.updated' || type === 'refund.failed') return store.find('refund', id);
  if (type !== 'charge.refunded' && type !== 'charge.dispute.created')
    return store.find('payment_intent', id);
  const charge = store.find('charge', id);
  if (!charge || type === 'charge.refunded') return charge;
  return {
    id: newId('dp'),
    object: 'dispute',
    charge: charge.id,
    payment_intent: charge.payment_intent,
    amount: charge.amount,
    currency: charge.currency,
    reason: 'fraudulent',
    status: 'needs_response',
  };
}

/** An event's body and its signature headers. */
export function signedEvent(
  type: string,
  object: unknown,
  secret: string,
): { text: string; headers: Record<string, string> } {
  const at = epochSeconds();
  const text = JSON.stringify({
    id: newId('evt'),
    object: 'event',
    created: at,
    livemode: false,
    type,
    data: { object },
  });
  const signature = createHmac('sha256', secret).update(`${at}.${text}`).digest('hex');
  return { text, headers: { 'stripe-signature': `t=${at},v1=${signature}` } };
}
