import type { z } from 'zod';
import type { CardError, PaymentIntent, PaymentMethod, SetupIntent } from './objects.js';

interface ErrorBody {
  type: 'card_error' | 'invalid_request_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: PaymentIntent;
  payment_method?: PaymentMethod;
  setup_intent?: SetupIntent;
}

/** An error in Stripe's format. */
export class StripeFailure extends Error {
  constructor(
    readonly status: 400 | 401 | 402 | 404,
    readonly error: ErrorBody,
  ) {
    super(error.message);
  }
}

/** 404 for an id in the path, 400 (with `param`) for one inside a form. */
export const missing = (what: string, id: string, param?: string): StripeFailure =>
  new StripeFailure(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: param ?? 'id',
  });

export const invalid = (message: string, extra: Partial<ErrorBody> = {}): StripeFailure =>
  new StripeFailure(400, { type: 'invalid_request_error', message, ...extra });

export const declined = (error: CardError, extra: Partial<ErrorBody>): StripeFailure =>
  new StripeFailure(402, { ...error, ...extra });

/** The first error of a form; Stripe reports one at a time. */
export function invalidForm(form: unknown, { issues: [issue] }: z.ZodError): StripeFailure {
  if (!issue) return invalid('Invalid request');
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = paramName(issue.path);
  return valueAt(form, issue.path) === undefined
    ? invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
    : invalid(`Invalid ${param}: ${issue.message}`, { param });
}

const paramName = ([first = '', ...rest]: PropertyKey[]): string =>
  String(first) + rest.map((part) => `[${String(part)}]`).join('');

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
