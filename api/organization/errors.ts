import { z } from 'zod';
import { isRefused, type Refusal } from '../../domain/organizations.js';
import { refusedWith } from '../http-error.js';

/** Every refusal of this service (D5). */
const refusal = z.object({ error: z.string(), message: z.string() }).meta({ id: 'CodedRefusal' });
const invalid = refusal
  .extend({ details: z.array(z.object({ path: z.string(), message: z.string() })).optional() })
  .meta({ id: 'CodedValidationRefusal' });
const internal = z.object({ error: z.string(), requestId: z.string() }).meta({ id: 'CodedInternalError' });

const shapes = {
  400: invalid,
  401: refusal,
  403: refusal,
  404: refusal,
  409: refusal,
  413: refusal,
  415: refusal,
  429: refusal,
  500: internal,
  502: refusal,
  503: refusal,
};

/** The refusals of a route, for its contract. */
export const refusals = <S extends keyof typeof shapes>(...statuses: S[]) =>
  Object.fromEntries(statuses.map((status) => [status, shapes[status]])) as Pick<typeof shapes, S>;

const answers = {
  unknown: { status: 404, code: 'not_found' },
  forbidden: { status: 403, code: 'forbidden' },
  conflict: { status: 409, code: 'conflict' },
} as const;

/** What was done. @throws HttpError for what was refused */
export function done<T extends object>(result: T | Refusal): T {
  if (!isRefused(result)) return result;
  const { status, code } = answers[result.refused];
  throw refusedWith(status, code, result.why);
}

export const notFound = (what: string) => refusedWith(404, 'not_found', `${what} not found`);

/** An id out of a path; a malformed one stands for nothing (404). */
export function idOf(what: string, text: string): string {
  if (!z.guid().safeParse(text).success) throw notFound(what);
  return text.toLowerCase();
}
