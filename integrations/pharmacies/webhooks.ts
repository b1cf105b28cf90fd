import { z } from 'zod';
import { reportedHold } from '../../domain/router/holds.js';
import { isHoldStatus } from '../../domain/router/order-updates.js';
import { knownWord, type PharmacyWords } from '../../domain/router/pharmacy-words.js';
import { text } from '../../platform/http/text.js';
import type { PharmacyWebhook, WebhookNews } from './adapter.js';

const iso = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);
/** A day or a time; the offset of a time may lack its colon. */
export const until = text(100).check(({ value, issues }) => {
  if (!iso.safeParse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).success)
    issues.push({ code: 'custom', message: 'must be ISO 8601', input: value });
});
export const holdMessage = text(2_000);
export const pharmacyOrder = text(500).min(1).describe("The submission's pharmacyOrderId");

/** An optional word of a pharmacy: null counts as left out (D155). A blank one is rejected. */
export const optWord = <T extends z.ZodType>(word: T) =>
  word.nullish().transform((value) => value ?? undefined);

/** Any other optional field of a pharmacy: blanks count as left out too, since some systems send every field. */
export const opt = <T extends z.ZodType>(field: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    optWord(field),
  );

/** A text in an answer, where nothing has rejected NUL or half a surrogate pair, which Postgres does. */
export const said = (maxCharacters: number) =>
  text(maxCharacters).overwrite((text) => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD'));

/** One of the pharmacy's own words, in any usual spelling (D155). */
export const wordOf = <W extends string>(words: readonly W[]) =>
  text(100)
    .overwrite((said) => knownWord(words, said) ?? said)
    .pipe(z.enum(words))
    .meta({ documented: { type: 'string', enum: words } });

export const needed = (...path: string[]) => ({
  code: 'custom' as const,
  path,
  input: undefined,
  message: 'is needed with this status',
});

export const defineWebhook = <Body extends z.ZodType>(
  body: Body,
  read: (body: z.output<Body>) => WebhookNews,
): PharmacyWebhook => ({ body, read });

interface SaidHold {
  id?: string | undefined;
  code?: string | undefined;
  message?: string | undefined;
  until?: string | undefined;
}

/** The hold of a webhook; the schema has validated the fields. */
export function holdOf(
  words: PharmacyWords,
  status: string | undefined,
  said: SaidHold | undefined,
): Pick<WebhookNews, 'hold'> {
  if (said?.id === undefined || !isHoldStatus(status)) return {};
  if (status === 'hold-released') return { hold: { released: said.id } };
  const opened = saidHold(words, said);
  return opened ? { hold: { opened } } : {};
}

/** Null without the pharmacy's id; a missing word means `other`. */
export const saidHold = (words: PharmacyWords, { id, code = '', ...more }: SaidHold) =>
  id === undefined ? null : reportedHold(words, { id, code, ...more });
