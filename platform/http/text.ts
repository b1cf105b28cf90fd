import { z } from 'zod';

/**
 * A bounded text; every text of a request is one (D95). The length check aborts, so later patterns never see a long
 * text: write `text(36).check(z.guid())`, because `z.guid().max(36)` matches the pattern first.
 */
export const text = (maxCharacters: number, error?: string) =>
  z.string().max(maxCharacters, { abort: true, ...(error === undefined ? {} : { error }) });

export const uuid = text(36).check(z.uuid());
/** A UUID of any version. */
export const guid = text(36).check(z.guid());
export const webUrl = text(2_000).check(z.url({ protocol: /^https?$/ }));

const notPrintable = 'must be 1-200 printable characters';
/** 1-200 printable characters (D6); each may be a surrogate pair. */
export const reference = text(400, notPrintable).regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u, notPrintable);

/** A `reference`, with a number suffix if the order was rerouted (D105). */
export const orderReference = text(420, notPrintable).regex(
  /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}(?:#\d{1,9})?$/u,
  notPrintable,
);

export const twoLetters = text(2, 'must be a two-letter code').regex(
  /^[A-Za-z]{2}$/,
  'must be a two-letter code',
);

const maxCharacters = 254;
const maxLocalCharacters = 64;

/** A valid e-mail address. The length check comes first, because the pattern is slow on long texts. */
export const emailAddress = text(maxCharacters)
  .refine((text) => text.lastIndexOf('@') <= maxLocalCharacters, {
    error: `Must have at most ${String(maxLocalCharacters)} characters before the @`,
    abort: true,
  })
  .check(z.email());
