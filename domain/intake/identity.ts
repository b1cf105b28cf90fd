import type { Patient } from 'fhir/r4.js';
import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { birthDateOf, type Intake } from './intake.js';

/** The fields that identify a person, since anybody may type an e-mail address (D86). */
export interface Identity {
  email: string;
  familyName: string;
  birthDate: CalendarDay;
}

type MismatchReason = 'other_person' | 'record_incomplete';

/** A patient with the intake's e-mail address who is another person, or whose record does not say. */
export interface OtherPatient {
  id: string;
  reason: MismatchReason;
}

interface Placement {
  ownId: string | undefined;
  other: OtherPatient | undefined;
}

/** @throws Error for an intake that was not validated */
export function identityOf({ email, lastName, dob }: Intake): Identity {
  const birthDate = birthDateOf(dob);
  if (birthDate === undefined) throw new Error('The birth date is no calendar date');
  return { email, familyName: lastName, birthDate };
}

/** Compares without case and accents. */
const letters = new Intl.Collator('en', { sensitivity: 'base' });
const withoutGaps = (name: string): string => name.replace(/[\s\p{Pd}]/gu, '');

/** Compares family names without case, accents, spaces and dashes. An empty name equals none. */
function isSameFamilyName(a: string, b: string): boolean {
  const [one, other] = [withoutGaps(a), withoutGaps(b)];
  return letters.compare(one, '') !== 0 && letters.compare(one, other) === 0;
}

export const identityText = ({ email, familyName, birthDate }: Identity): string =>
  JSON.stringify([
    email.toLowerCase(),
    withoutGaps(familyName).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    birthDate,
  ]);

/** A patient is the same person if family name and birth date agree too (D86). */
export function compare(patient: Patient, { familyName, birthDate }: Identity): 'same' | MismatchReason {
  const names = patient.name?.flatMap(({ family }) => family ?? []) ?? [];
  if (names.length === 0 || !isCalendarDay(patient.birthDate ?? '')) return 'record_incomplete';
  const isSame = patient.birthDate === birthDate && names.some((name) => isSameFamilyName(name, familyName));
  return isSame ? 'same' : 'other_person';
}

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
