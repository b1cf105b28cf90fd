import { z } from 'zod';

const defaultLimit = 50;
const maxLimit = 200;

/** `limit` and `cursor` of every list (D8); a number in a query is its decimal digits and nothing else. */
export const pageQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'Must be a number from 1 to 200')
    .transform(Number)
    .pipe(z.number().min(1).max(maxLimit))
    .default(defaultLimit),
  cursor: z
    .string()
    .regex(/^[\w-]{1,400}$/, 'Must be a cursor that a list has answered')
    .optional(),
});

/** What a cursor stands for, opaque to the caller. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** A cursor read back, or undefined when it is not one of this list's. */
export function decodeCursor<T>(cursor: string, position: z.ZodType<T>): T | undefined {
  try {
    const parsed = position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The page out of one row more than was asked for, and the cursor of the next. */
export function pageOf<T>(rows: readonly T[], limit: number, position: (row: T) => unknown) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? encodeCursor(position(last)) : null };
}
