import { z } from 'zod';

/** RFC 5321. */
const maxCharacters = 254;
const maxLocalCharacters = 64;

/** A valid e-mail address. The length check comes first, because the pattern is slow on long texts. */
export const emailAddress = z
  .string()
  .max(maxCharacters, { abort: true })
  .refine((text) => text.lastIndexOf('@') <= maxLocalCharacters, {
    error: `Must have at most ${String(maxLocalCharacters)} characters before the @`,
    abort: true,
  })
  .check(z.email());
