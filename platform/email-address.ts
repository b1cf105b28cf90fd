import { z } from 'zod';
import { emailOf, maxEmailCharacters, maxLocalCharacters } from '../domain/email-address.js';

/** An e-mail address as `emailOf` has it: trimmed, and with the ASCII form of its domain (D150). */
export const emailAddress = z
  .string()
  .max(maxEmailCharacters, { abort: true })
  .refine((text) => text.trim().lastIndexOf('@') <= maxLocalCharacters, {
    error: `Must have at most ${String(maxLocalCharacters)} characters before the @`,
    abort: true,
  })
  .refine((text) => emailOf(text) !== undefined, { error: 'Invalid email address', abort: true })
  .overwrite((text) => emailOf(text) ?? text)
  .meta({ format: 'email' });
