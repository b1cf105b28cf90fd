import { z } from 'zod';
import { invalid, missing } from './errors.js';
import type { Kind, Objects } from './objects.js';
import type { StripeStore } from './store.js';

/** A call of the API, named like the SDK's method. */
export interface Endpoint {
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/v1`; the one parameter is `:id`. */
  path: string;
  form: z.ZodType;
  run: (store: StripeStore, form: never, id: string) => unknown;
}

/** An endpoint whose handler gets the parsed form. */
export const endpoint = <S extends z.ZodType>(
  operation: string,
  method: Endpoint['method'],
  path: string,
  form: S,
  run: (store: StripeStore, form: z.infer<S>, id: string) => unknown,
): Endpoint => ({ operation, method, path, form, run });

// Everything in a form is text.
export const text = z.string().min(1);
export const integer = z
  .string()
  .regex(/^-?\d+$/, 'not an integer')
  .transform(Number);
export const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'not a decimal')
  .transform(Number);
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
export const metadata = z.record(z.string().max(40), z.string().max(500));
export const nothing = z.strictObject({});
export const paging = {
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

/** The period of a list; `created` is a field of its objects. */
export const dated = {
  created: z
    .strictObject({
      gt: integer.optional(),
      gte: integer.optional(),
      lt: integer.optional(),
      lte: integer.optional(),
    })
    .optional(),
};

/** The objects of a period, newest first. */
export const ofPeriod = <T extends { created: number }>(
  all: readonly T[],
  { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity }: z.infer<typeof dated.created> = {},
): T[] =>
  all
    .filter(({ created }) => created > gt && created >= gte && created < lt && created <= lte)
    .sort((one, other) => other.created - one.created);

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** One page of a list that comes newest first. */
export function page<T extends { id: string }>(
  url: string,
  all: readonly T[],
  { limit = 10, starting_after: after, ending_before: before }: Paging,
) {
  const position = (id: string, param: string): number => {
    const at = all.findIndex((object) => object.id === id);
    if (at < 0) throw missing('object', id, param);
    return at;
  };
  const start = after === undefined ? 0 : position(after, 'starting_after') + 1;
  const end = before === undefined ? all.length : position(before, 'ending_before');
  const window = all.slice(start, end);
  const data = before === undefined ? window.slice(0, limit) : window.slice(-limit);
  return { object: 'list', url: `/v1${url}`, has_more: window.length > data.length, data };
}

/** The object with this id in a path. @throws StripeFailure 404 */
export function existing<K extends Kind>(store: StripeStore, kind: K, id: string): Objects[K] {
  const object = store.find(kind, id);
  if (!object) throw missing(kind.replace('_', ' '), id);
  return object;
}

/** The object that a form names. @throws StripeFailure 400 */
export function referred<K extends Kind>(store: StripeStore, kind: K, id: string, param: string): Objects[K] {
  const object = store.find(kind, id);
  if (!object) throw missing(kind.replace('_', ' '), id, param);
  return object;
}

/** Metadata after an update: given keys replace, empty ones disappear. */
export const mergeMetadata = (
  old: Record<string, string>,
  given: Record<string, string> = {},
): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...old, ...given }).filter(([, value]) => value !== ''));

/** Stripe's limits for a card payment. */
const SMALLEST_AMOUNT_CENTS = 50;
const LARGEST_AMOUNT_CENTS = 99_999_999;

export function checkAmount(amountCents: number): void {
  if (amountCents < 1)
    throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  if (amountCents < SMALLEST_AMOUNT_CENTS) {
    throw invalid('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
  }
  if (amountCents > LARGEST_AMOUNT_CENTS) {
    throw invalid('Amount must be no more than $999,999.99', { code: 'amount_too_large', param: 'amount' });
  }
}
