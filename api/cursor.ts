import { z } from 'zod';
import { InvalidField } from './http-errors.js';
import { text } from '../platform/http/text.js';

const defaultLimit = 50;
const maxLimit = 200;

/** `limit` and `cursor` of every list (D8). */
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

export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position of a cursor. @throws InvalidField for a cursor of another list */
export function decodeCursor<T>(cursor: string | undefined, position: z.ZodType<T>): T | undefined {
  if (cursor === undefined) return undefined;
  const parsed = position.safeParse(readJson(cursor));
  if (!parsed.success) throw new InvalidField('cursor', 'Must be a cursor of this list');
  return parsed.data;
}

function readJson(cursor: string): unknown {
  const json = Buffer.from(cursor, 'base64url').toString();
  // No list has written a NUL, which Postgres rejects.
  if (json.includes(String.raw`\u0000`)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * A page of a list with the cursor of the next page. Reads one extra row to know whether a next page exists.
 * @param position the content of the cursor after a row
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
