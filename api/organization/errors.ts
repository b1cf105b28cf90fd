import { z } from 'zod';
import { isRefused, type Refusal } from '../../domain/organization/organizations.js';
import { refusedWith } from '../http-error.js';

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
