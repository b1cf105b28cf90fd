import type { Patient } from 'fhir/r4.js';
import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { birthDateOf, type Intake } from './intake.js';

/** By this a person is known again under an e-mail address, which may have been typed by anybody (D86). */
export interface Identity {
  email: string;
  familyName: string;
  birthDate: CalendarDay;
}

/** Why an intake does not join a patient of its address. */
type MismatchReason = 'other_person' | 'record_incomplete';

/** A patient of an intake's address who is not, or cannot be told to be, the person of the intake. */
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
export function identityOf({ email, lastName, dob }: Intake): Identity {
  const birthDate = birthDateOf(dob);
  if (birthDate === undefined) throw new Error('The birth date is no calendar date');
  return { email, familyName: lastName, birthDate };
}

/** Letters alone: neither case nor accents count. */
const letters = new Intl.Collator('en', { sensitivity: 'base' });
const withoutGaps = (name: string): string => name.replace(/[\s\p{Pd}]/gu, '');

/** Whether two family names are one, however they are written; a name that says nothing is nobody's. */
function isSameFamilyName(a: string, b: string): boolean {
  const [one, other] = [withoutGaps(a), withoutGaps(b)];
  return letters.compare(one, '') !== 0 && letters.compare(one, other) === 0;
}

/** What two intakes of one person have in common, as far as writing it can tell. */
export const identityText = ({ email, familyName, birthDate }: Identity): string =>
  JSON.stringify([
    email.toLowerCase(),
    withoutGaps(familyName).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    birthDate,
  ]);

/** Whose record a patient of the intake's address is: family name and birth date have to agree too (D86). */
export function compare(patient: Patient, { familyName, birthDate }: Identity): 'same' | MismatchReason {
  const names = patient.name?.flatMap(({ family }) => family ?? []) ?? [];
  if (names.length === 0 || !isCalendarDay(patient.birthDate ?? '')) return 'record_incomplete';
  const isSame = patient.birthDate === birthDate && names.some((name) => isSameFamilyName(name, familyName));
  return isSame ? 'same' : 'other_person';
}

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
