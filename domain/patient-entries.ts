import type { Address, ContactPoint, HumanName, Patient, Period } from 'fhir/r4.js';
import type { CalendarDay } from './calendar.js';

/**
 * The entries of a FHIR Patient that count on a day, the best one first (D147). A record comes from outside, so an
 * entry of another shape than FHIR's is left out rather than trusted.
 */

const nameUses = ['official', 'usual', undefined];
/** Former names identify a person too (D148). */
const formerNameUses = ['old', 'maiden'];
const addressUses = ['home', undefined, 'work', 'temp'];
const telecomUses = ['mobile', 'home', undefined, 'work', 'temp'];

export function namesOn(patient: Patient, today: CalendarDay): HumanName[] {
  const inForce = ofUses(patient.name, nameUses, today);
  return inForce.sort(
    (a, b) => rankIn(nameUses, a) - rankIn(nameUses, b) || compareTexts(startOf(b), startOf(a)),
  );
}

/** The names that a person has or had; an ended one counts too. */
export const namesEver = ({ name }: Patient): HumanName[] =>
  entriesOf(name).filter((entry) => [...nameUses, ...formerNameUses].includes(useOf(entry)));

export function addressesOn(patient: Patient, today: CalendarDay): Address[] {
  const isPostal = ({ type }: Address) => Number(type === 'postal');
  return ofUses(patient.address, addressUses, today).sort(
    (a, b) => rankIn(addressUses, a) - rankIn(addressUses, b) || isPostal(a) - isPostal(b),
  );
}

export function telecomOn(
  patient: Patient,
  system: 'phone' | 'email',
  today: CalendarDay,
): (ContactPoint & { value: string })[] {
  return ofUses(patient.telecom, telecomUses, today)
    .filter((entry): entry is ContactPoint & { value: string } => {
      return entry.system === system && textOf(entry.value) !== undefined;
    })
    .sort((a, b) => preference(a) - preference(b) || rankIn(telecomUses, a) - rankIn(telecomUses, b));
}

/** FHIR's `rank`: 1 is preferred, and an entry without one comes last. */
const preference = ({ rank }: ContactPoint): number => (typeof rank === 'number' ? rank : Infinity);

/**
 * A text of the record in one line, without white space around it. Undefined for a blank text, which counts as missing
 * (D152).
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Neither Postgres nor JSON carries half a surrogate pair or a NUL.
  const text = value
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return text === '' ? undefined : text;
}

/** The texts of a repeated element; FHIR writes `null` where one has extensions only. */
export const textsOf = (values: unknown): string[] =>
  Array.isArray(values) ? values.flatMap((value) => textOf(value) ?? []) : [];

/** The entries of a repeated element, whatever a server sends there. */
export const entriesOf = <T extends object>(values: readonly T[] | null | undefined): T[] =>
  Array.isArray(values)
    ? (values as unknown[]).filter((value): value is T => typeof value === 'object' && value !== null)
    : [];

const useOf = ({ use }: { use?: string | undefined }): string | undefined => use ?? undefined;

const ofUses = <T extends { use?: string | undefined; period?: Period | undefined }>(
  values: readonly T[] | undefined,
  uses: readonly (string | undefined)[],
  today: CalendarDay,
): T[] => entriesOf(values).filter((entry) => uses.includes(useOf(entry)) && isInForce(entry.period, today));

const rankIn = (uses: readonly (string | undefined)[], entry: { use?: string | undefined }): number =>
  uses.indexOf(useOf(entry));

/** A partial date stands for all of its days, so only as much of today is compared as the date has. */
function isInForce(period: Period | undefined | null, today: CalendarDay): boolean {
  const [start, end] = [dateOf(period?.start), dateOf(period?.end)];
  return start <= today.slice(0, start.length) && (end === '' || end >= today.slice(0, end.length));
}

/** The date of a FHIR dateTime as it is written; empty where there is none. */
const dateOf = (value: unknown): string =>
  (typeof value === 'string' ? /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(value)?.[0] : undefined) ?? '';

const startOf = ({ period }: HumanName): string => dateOf(period?.start);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
