import { randomBytes } from 'node:crypto';

/** The stored part of Stripe's objects. Amounts are in cents, times in epoch seconds. */
interface Base {
  id: string;
  created: number;
  livemode: false;
  metadata: Record<string, string>;
}

export interface Customer extends Base {
  object: 'customer';
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  address: Record<string, string> | null;
  invoice_settings: { default_payment_method: string | null };
}

export interface PaymentMethod extends Base {
  object: 'payment_method';
  type: 'card';
  customer: string | null;
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
    country: 'US';
    funding: 'credit';
  };
  billing_details: { name: null; email: null; phone: null; address: null };
}

export interface SetupIntent extends Base {
  object: 'setup_intent';
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded';
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
  payment_method_types: ['card'];
  usage: string;
  description: string | null;
  last_setup_error: CardError | null;
}

export interface PaymentIntent extends Base {
  object: 'payment_intent';
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled';
  client_secret: string;
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  payment_method_types: ['card'];
  capture_method: 'automatic';
  confirmation_method: 'automatic';
  description: string | null;
  receipt_email: string | null;
  statement_descriptor_suffix: string | null;
  setup_future_usage: string | null;
  latest_charge: string | null;
  last_payment_error: (CardError & { payment_method: PaymentMethod }) | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
}

export interface Charge extends Base {
  object: 'charge';
  status: 'succeeded' | 'failed';
  amount: number;
  currency: string;
  customer: string | null;
  /** null for a charge that a person made. */
  payment_intent: string | null;
  payment_method: string | null;
  paid: boolean;
  captured: boolean;
  amount_refunded: number;
  refunded: boolean;
  failure_code: string | null;
  failure_message: string | null;
}

export interface Refund extends Base {
  object: 'refund';
  status: 'succeeded' | 'failed';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string | null;
  reason: string | null;
  failure_reason?: string;
}

/** The bank's answers to charges of a customer or card. Stripe has no such object. */
interface BankAnswer {
  object: 'bank_answer';
  /** The customer's or the payment method's id. */
  id: string;
  /** `paid`, `authentication_required` or a decline code. */
  answer: string;
  /** The number of charges it applies to; null: until changed. */
  times: number | null;
}

export interface Coupon extends Base {
  object: 'coupon';
  name: string | null;
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
  duration: 'once' | 'repeating' | 'forever';
  duration_in_months: number | null;
  max_redemptions: number | null;
  times_redeemed: number;
  redeem_by: number | null;
  /** Shown only on request. */
  applies_to?: { products: string[] };
}

export interface CardError {
  type: 'card_error';
  code: string;
  decline_code: string;
  message: string;
}

export interface Objects {
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  bank_answer: BankAnswer;
  coupon: Coupon;
}
export type Kind = keyof Objects;

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

/** The common fields of a new object. */
export const newBase = (id: string, metadata: Record<string, string> = {}, at = new Date()) =>
  ({ id, created: epochSeconds(at), livemode: false, metadata }) as const;

export const epochSeconds = (at = new Date()): number => Math.floor(at.getTime() / 1000);
