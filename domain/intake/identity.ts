import type { Patient, Reference } from 'fhir/r4.js';
import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { emailKey } from '../email-address.js';
import { departureOf, withSuffixes } from '../orderable-patient.js';
import { entriesOf, namesEver, textOf, textsOf } from '../patient-entries.js';
import { gendersContradict, givenNamesAgree, isSameName, lettersOf } from '../person-names.js';
import { birthDateOf, type Intake } from './intake.js';

/** The fields that identify a person, since anybody may type an e-mail address (D86, D148). */
export interface Identity {
  email: string;
  familyName: string;
  givenName: string;
  gender?: Intake['gender'];
  birthDate: CalendarDay;
}

/** Why an intake does not join a patient of its address. */
type MismatchReason = 'other_person' | 'record_incomplete' | 'patient_left';

/** A patient with the intake's address who is another person, whose record does not say, or who has left. */
export interface OtherPatient {
  id: string;
  reason: MismatchReason;
}

/** The intake's own patient in the EMR, and the first other patient with its address. */
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

/** A text that is equal for two intakes of one person, whatever the case, accents and gaps of the name. */
export const identityText = ({ email, familyName, birthDate }: Identity): string =>
  JSON.stringify([emailKey(email), lettersOf(familyName), birthDate]);

/** Differs between persons with the same `identityText`, such as twins. */
export const namesakeText = ({ givenName, gender }: Identity): string =>
  JSON.stringify([lettersOf(givenName), gender ?? null]);

/**
 * A patient is the intake's person if family name and birth date agree and neither given names nor genders contradict
 * (D86, D148). Former names count.
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
    !gendersContradict(patient.gender, identity.gender) &&
    names.some(
      ({ families, given }) =>
        families.some((family) => isSameName(family, identity.familyName)) &&
        // An entry may have the family name alone, as a maiden name often does.
        (given === '' ? anyGiven : [given]).some((name) => givenNamesAgree(name, identity.givenName)),
    );
  if (!isSame) return 'other_person';
  return departureOf(patient) === undefined ? 'same' : 'patient_left';
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

/** The EMR's id of the record that took a merged one's place; undefined where none is named. */
export function survivorOf({ link }: Patient): string | undefined {
  // A server may send a link without its target.
  const other: Reference | undefined = entriesOf(link).find(({ type }) => type === 'replaced-by')?.other;
  return /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.*)?$/.exec(
    textOf(other?.reference) ?? '',
  )?.[1];
}
