import { z } from 'zod';

/** Longer addresses, and longer names before the `@`, do not exist (RFC 5321). */
const maxCharacters = 254;
const maxLocalCharacters = 64;

/** An e-mail address of valid form. Its length is judged first, since the expression takes its time over a long text. */
export const emailAddress = z
  .string()
  .max(maxCharacters, { abort: true })
  .refine((text) => text.lastIndexOf('@') <= maxLocalCharacters, {
    error: `Must have at most ${String(maxLocalCharacters)} characters before the @`,
    abort: true,
  })
  .check(z.email());
