import { z } from 'zod';

/**
 * A text of at most so many characters, as every text of a request is (D95). The length is judged first: what stands
 * behind it never sees a longer one. So a format stands behind it too, as in `text(36).check(z.guid())`, since
 * `z.guid().max(36)` would match first.
 * @param error instead of the usual words
 */
export const text = (maxCharacters: number, error?: string) =>
  z.string().max(maxCharacters, { abort: true, ...(error === undefined ? {} : { error }) });

const notBlank = 'must not be blank';
/** A text that is required: one of white space alone counts as missing (D152). Kept as it is, since only some are trimmed. */
export const filled = (maxCharacters: number, error?: string) =>
  text(maxCharacters, error)
    .min(1, { abort: true })
    .refine((value) => /\S/.test(value), error ?? notBlank);

export const uuid = text(36).check(z.uuid());
/** A uuid of whatever version. */
export const guid = text(36).check(z.guid());
export const webUrl = text(2_000).check(z.url({ protocol: /^https?$/ }));

const notPrintable = 'must be 1-200 printable characters';
/** 1-200 printable characters (D6), each of which may be a pair of surrogates. */
export const reference = text(400, notPrintable)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u, notPrintable)
  .refine((value) => /\S/.test(value), notBlank);

/**
 * As `reference`. One of our own tasks that was moved to another pharmacy has a number behind it, and may be ten longer
 * (D105).
 */
export const orderReference = text(420, notPrintable)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}(?:#\d{1,9})?$/u, notPrintable)
  .refine((value) => /\S/.test(value), notBlank);

/** Two letters, in either case. */
export const twoLetters = text(2, 'must be a two-letter code').regex(
  /^[A-Za-z]{2}$/,
  'must be a two-letter code',
);
