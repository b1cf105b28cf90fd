import { z } from 'zod';
import { text } from '../platform/http/text.js';

/** An ISO 8601 timestamp with a zone, in a year that the database can store. */
export const instant = text(64)
  .check(z.iso.datetime({ offset: true, abort: true }))
  .transform((text) => new Date(text))
  .refine(
    (date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999,
    'Must be a date of the years 1 to 9999',
  );

const notMonth = 'Must be a month as YYYY-MM';
/** A month as `YYYY-MM`, in a year that the database can store. */
export const calendarMonth = text(7, notMonth)
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, notMonth)
  .refine((month) => month >= '0001', notMonth);

/** A moment in an answer. JSON writes a Date as ISO 8601 in UTC with milliseconds (D9). */
export const timestamp = z.date();
