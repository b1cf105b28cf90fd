import type { Patient, Reference } from 'fhir/r4.js';
import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { emailKey } from '../email-address.js';
import { departureOf, withSuffixes } from '../orderable-patient.js';
import { entriesOf, namesEver, textOf, textsOf } from '../patient-entries.js';
import { birthDateOf, type Intake } from './intake.js';

/** By this a person is known again under an e-mail address, which may have been typed by anybody (D86, D148). */
export interface Identity {
  email: string;
  familyName: string;
  givenName: string;
  gender?: Intake['gender'];
  birthDate: CalendarDay;
}

/** Why an intake does not join a patient of its address. */
type MismatchReason = 'other_person' | 'record_incomplete' | 'patient_left';

/** A patient of an intake's address who is not, or cannot be told to be, the person of the intake, or who has left. */
export interface OtherPatient {
  id: string;
  reason: MismatchReason;
}

/** Of the EMR's patients under an address: the intake's own, and the first of the others. */
interface Placement {
  ownId: string | undefined;
  other: OtherPatient | undefined;
}

/** @throws Error for an intake that no contract has checked */
export function identityOf({ email, firstName, lastName, gender, dob }: Intake): Identity {
  const birthDate = birthDateOf(dob);
  if (birthDate === undefined) throw new Error('The birth date is no calendar date');
  return { email, familyName: lastName, givenName: firstName, gender, birthDate };
}

/** Neither case nor accents count, as in the languages that write ß or ø. */
const letters = new Intl.Collator('en', { sensitivity: 'base' });

/** Letters alone: neither case nor accents count, nor spaces, hyphens and dots. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\s\p{Pd}.]/gu, '')
    .toLowerCase();

const initialsOf = (name: string): string =>
  name
    .split(/[\s\p{Pd}.]+/u)
    .map((word) => lettersOf(word).slice(0, 1))
    .join('');

/** Fewer letters begin too many names: `Al` is not yet `Alexandra`. */
const minBeginning = 3;

/** Whether two writings of given names can be of one person: equal, one the beginning of the other, or its initials. */
function agree(a: string, b: string): boolean {
  if (isSameName(a, b)) return true;
  const [short, long] = lettersOf(a).length <= lettersOf(b).length ? [a, b] : [b, a];
  const beginning = lettersOf(short);
  if (beginning === '') return false;
  const isBeginning = beginning.length >= minBeginning && lettersOf(long).startsWith(beginning);
  return isBeginning || initialsOf(long).startsWith(beginning);
}

/** What two intakes of one person have in common, as far as writing it can tell. */
export const identityText = ({ email, familyName, birthDate }: Identity): string =>
  JSON.stringify([emailKey(email), lettersOf(familyName), birthDate]);

/** Tells apart those who have an `identityText` in common, such as twins. */
export const namesakeText = ({ givenName, gender }: Identity): string =>
  JSON.stringify([lettersOf(givenName), gender ?? null]);

/**
 * Whose record a patient of the intake's address is: family name and birth date have to agree, and neither given names
 * nor genders may contradict (D86, D148). Former names of the patient count.
 */
export function compare(patient: Patient, identity: Identity): 'same' | MismatchReason {
  const names = namesEver(patient).flatMap(({ family, given, suffix }) => {
    if (typeof family !== 'string') return [];
    const families = [family, withSuffixes(family, suffix) ?? family];
    return [{ families, given: textsOf(given).join(' ') }];
  });
  const anyGiven = namesEver(patient).flatMap(({ given }) => textsOf(given).join(' ') || []);
  if (names.length === 0 || anyGiven.length === 0 || !isCalendarDay(textOf(patient.birthDate) ?? ''))
    return 'record_incomplete';
  const isSame =
    patient.birthDate === identity.birthDate &&
    !contradict(patient.gender, identity.gender) &&
    names.some(
      ({ families, given }) =>
        families.some((family) => isSameName(family, identity.familyName)) &&
        // An entry may have the family name alone, as a maiden name often does.
        (given === '' ? anyGiven : [given]).some((name) => agree(name, identity.givenName)),
    );
  if (!isSame) return 'other_person';
  return departureOf(patient) === undefined ? 'same' : 'patient_left';
}

/** A name that says nothing is nobody's. */
function isSameName(a: string, b: string): boolean {
  const [one, other] = [lettersOf(a), lettersOf(b)];
  return letters.compare(one, '') !== 0 && letters.compare(one, other) === 0;
}

const contradict = (a: string | undefined, b: string | undefined): boolean =>
  (a === 'male' && b === 'female') || (a === 'female' && b === 'male');

/** Finds the person of an intake among the patients of its address. */
export function place(patients: readonly (Patient & { id: string })[], identity: Identity): Placement {
  let ownId: string | undefined;
  let other: OtherPatient | undefined;
  for (const patient of patients) {
    const { id } = patient;
    const verdict = compare(patient, identity);
    if (verdict === 'same') ownId ??= id;
    else other ??= { id, reason: verdict };
  }
  return { ownId, other };
}

/** The EMR's id of the record that took a merged one's place; undefined where none is named. */
export function survivorOf({ link }: Patient): string | undefined {
  // A server may send a link without its target.
  const other: Reference | undefined = entriesOf(link).find(({ type }) => type === 'replaced-by')?.other;
  return /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.*)?$/.exec(
    textOf(other?.reference) ?? '',
  )?.[1];
}
