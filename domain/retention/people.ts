import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { textOf } from '../patient-entries.js';
import { gendersContradict, givenNamesAgree, isSameName } from '../person-names.js';

/** Anybody may type an e-mail address, so name and birth date say whose an intake or an order is (D86). */
export interface Person {
  firstName: string;
  lastName: string;
  birthDate: CalendarDay;
  gender: string | null;
}

/** @param entry an intake as received, or the patient of an order. @returns undefined for one without these fields */
export function personOf(entry: unknown): Person | undefined {
  const { firstName, lastName, dob, gender } = (entry ?? {}) as Record<string, unknown>;
  const [first, last] = [textOf(firstName), textOf(lastName)];
  // An intake begins with the month, an order with the year.
  const birthDate = textOf(dob)?.replace(/^(\d{2})-(\d{2})-(\d{4})$/, '$3-$1-$2') ?? '';
  if (first === undefined || last === undefined || !isCalendarDay(birthDate)) return undefined;
  return { firstName: first, lastName: last, birthDate, gender: textOf(gender) ?? null };
}

/** True if an entry names one of the people, by the rule for intakes that join a patient (D86, D148). */
export function namesOneOf(people: readonly Person[], entry: unknown): boolean {
  const person = personOf(entry);
  return person !== undefined && people.some((known) => isSame(known, person));
}

const isSame = (a: Person, b: Person): boolean =>
  a.birthDate === b.birthDate &&
  isSameName(a.lastName, b.lastName) &&
  givenNamesAgree(a.firstName, b.firstName) &&
  !gendersContradict(a.gender ?? undefined, b.gender ?? undefined);
