/** A code that somebody entered can be wrong in these ways (page 2, /verify-email/check). */
export const codeRefusals = [
  'no_code_sent',
  'code_expired',
  'code_already_used',
  'rate_limited',
  'invalid_code',
] as const;
export type CodeRefusal = (typeof codeRefusals)[number];

export const codeDigits = 6;
export const codeLifetimeMs = 10 * 60 * 1000;
/** Wrong ones, after which a code is not compared any more (D61). */
export const maxWrongCodes = 5;
