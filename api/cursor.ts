import { z } from 'zod';
import { InvalidField } from './http-errors.js';
import { text } from '../platform/http/text.js';

const defaultLimit = 50;
const maxLimit = 200;

/** `limit` and `cursor` of every list (D8); a number in a query is its decimal digits and nothing else. */
export const pageQuery = z.object({
  limit: text(3, 'Must be a number from 1 to 200')
    .regex(/^\d{1,3}$/, 'Must be a number from 1 to 200')
    .transform(Number)
    .pipe(z.number().min(1).max(maxLimit))
    .default(defaultLimit)
    .meta({ documented: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit } }),
  cursor: text(400, 'Must be a cursor that a list has answered')
    .regex(/^[\w-]{1,400}$/, 'Must be a cursor that a list has answered')
    .optional(),
});

export const nextCursor = z.string().nullable().describe('Cursor of the next page; null on the last one');

/** What a cursor stands for, opaque to the caller. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Where a list goes on; undefined at its beginning. @throws InvalidField for a cursor that is not one of this list's */
export function decodeCursor<T>(cursor: string | undefined, position: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  const parsed = position.safeParse(readJson(cursor));
  if (!parsed.success) throw new InvalidField('cursor', 'Must be a cursor of this list');
  return parsed.data;
}

function readJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/**
 * A page of a list, and the cursor of the next one.
 * @param list is asked for one row more than the page has, which tells whether there is a next one
 * @param position what the cursor after a row stands for, opaque to the caller unless written otherwise
 */
export async function pageOf<T>(
  limit: number,
  list: (limit: number) => Promise<readonly T[]>,
  position: (row: T) => unknown,
  write: (position: unknown) => string = encodeCursor,
) {
  const rows = await list(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? write(position(last)) : null };
}
