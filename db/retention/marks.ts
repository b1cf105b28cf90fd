import type { ErasureScope } from './erasures.js';

/** Ids of this length are unique anywhere in a text. */
const distinctLength = 16;

/** Lower-case Postgres expressions for the texts that identify the patient. */
export function marksOf({ emails, mrn, emrPatientIds }: ErasureScope): string[] {
  const ids = emrPatientIds.flatMap((id) =>
    id.length >= distinctLength ? [wholeId(id)] : [`patient/${escaped(id)}["/]`],
  );
  return [...emails.map(wholeAddress), wholeId(mrn), ...ids];
}

/**
 * Finds an address in a lower-case text, but not as a part of a longer one: `ann@x.test` is not in `joann@x.test`. A
 * sign such as `=` or `'` separates it from what comes before, although a rare address has one.
 */
export const wholeAddress = (email: string): string =>
  `(?:^|[^a-z0-9._+-]|${escapes}|${encodedSign})${Array.from(email.toLowerCase(), spelled).join('')}${end}`;

const wholeId = (id: string): string => `(?:^|[^a-z0-9.-]|${escapes})${escaped(id)}${end}`;

/** A line break in JSON or a byte that Postgres escapes; its last character belongs to no address and no id. */
const escapes = String.raw`\\[bfnrt]|\\u[0-9a-f]{4}|\\[0-7]{3}`;
/** A sign in a form or a link, but none that an address may have: `+`, `-`, `.` and `_`. */
const encodedSign = '%(?!2b|2d|2e|5f)[0-9a-f]{2}';
/** A dot ends a sentence, or begins another part of a host name or id. */
const end = String.raw`(?![a-z0-9@-]|\.[a-z0-9])`;

const escaped = (text: string): string => text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A sign as it is, as forms and links encode it, or as JSON may; Postgres shows a byte `\` twice. */
function spelled(sign: string): string {
  if (/[a-z0-9]/.test(sign)) return sign;
  const code = sign.charCodeAt(0).toString(16).padStart(2, '0');
  return String.raw`(?:${escaped(sign)}|%${code}|\\{1,2}u00${code})`;
}
