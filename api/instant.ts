import { z } from 'zod';
import { text } from '../platform/http/text.js';

/** A moment as a caller names it, ISO 8601 with a zone, of a year (in UTC) that we and the database can hold. */
export const instant = text(64)
  .check(z.iso.datetime({ offset: true, abort: true }))
  .refine(isStorable, 'Must be a date of the years 1 to 9999')
  .transform((text) => new Date(text));

/** A moment in an answer. JSON writes a Date as ISO 8601 in UTC with milliseconds (D9). */
export const timestamp = z.date();

function isStorable(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
