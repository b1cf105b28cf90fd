import { z } from 'zod';
import { emailOf, maxEmailCharacters, maxLocalCharacters } from '../../domain/email-address.js';

/**
 * A bounded text; every text of a request is one (D95). The length check aborts, so later patterns never see a long
 * text: write `text(36).check(z.guid())`, because `z.guid().max(36)` matches the pattern first.
 */
export const text = (maxCharacters: number, error?: string) =>
  z.string().max(maxCharacters, { abort: true, ...(error === undefined ? {} : { error }) });

/** White space alone counts as missing (D152), so the issue is that of a text without characters. */
const notBlank = z.check<string>(({ value: input, issues }) => {
  if (/\S/.test(input)) return;
  issues.push({ code: 'too_small', origin: 'string', minimum: 1, input, message: 'must not be blank' });
});
/** A required text. */
export const filled = (maxCharacters: number) => text(maxCharacters).min(1, { abort: true }).check(notBlank);

export const uuid = text(36).check(z.uuid());
/** A UUID of any version. */
export const guid = text(36).check(z.guid());
export const webUrl = text(2_000).check(z.url({ protocol: /^https?$/ }));

const notPrintable = 'must be 1-200 printable characters';
/** 1-200 printable characters (D6); each may be a surrogate pair. */
export const reference = text(400, notPrintable)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u, { error: notPrintable, abort: true })
  .check(notBlank);

/** A `reference`, with a number suffix if the order was rerouted (D105) or replaces another (D120). */
export const orderReference = text(420, notPrintable)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}(?:#\d{1,9})?(?:~\d{1,9})?$/u, {
    error: notPrintable,
    abort: true,
  })
  .check(notBlank);

export const twoLetters = text(2, 'must be a two-letter code').regex(
  /^[A-Za-z]{2}$/,
  'must be a two-letter code',
);

/** As `twoLetters`, without white space around it (D149). */
export const trimmedState = text(20, 'must be a two-letter code')
  .overwrite((state) => state.trim())
  .regex(/^[A-Za-z]{2}$/, 'must be a two-letter code');

/** An e-mail address, trimmed and with the ASCII form of its domain (D150). */
export const emailAddress = text(maxEmailCharacters)
  .refine((text) => text.trim().lastIndexOf('@') <= maxLocalCharacters, {
    error: `Must have at most ${String(maxLocalCharacters)} characters before the @`,
    abort: true,
  })
  .refine((text) => emailOf(text) !== undefined, { error: 'Invalid email address', abort: true })
  .overwrite((text) => emailOf(text) ?? text)
  .meta({ format: 'email' });
