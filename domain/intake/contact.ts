import type { Address, ContactPoint, Patient } from 'fhir/r4.js';
import type { Intake } from './intake.js';
import { toFhirPatient } from './intake-patient.js';

/**
 * Replaces the patient's home address and mobile number, or else the first address and phone, by the intake's.
 * @returns undefined if the record has them already
 */
export function withContactOf(intake: Intake, patient: Patient): Patient | undefined {
  const { address: [address] = [], telecom: [phone] = [] } = toFhirPatient(intake);
  const changed = {
    ...patient,
    ...(address && !hasAddress(patient, address) && { address: inPlace(patient.address, address, 'home') }),
    ...(phone?.value !== undefined &&
      !hasPhone(patient, phone.value) && {
        telecom: inPlace(patient.telecom, phone, 'mobile', ({ system }) => system === 'phone'),
      }),
  };
  return changed.address === patient.address && changed.telecom === patient.telecom ? undefined : changed;
}

function counting<T extends { use?: string | undefined }>(
  entries: readonly T[],
  use: string,
  isInQuestion: (entry: T) => boolean,
): number {
  const ofUse = entries.findIndex((entry) => entry.use === use && isInQuestion(entry));
  return ofUse >= 0 ? ofUse : entries.findIndex(isInQuestion);
}

function inPlace<T extends { use?: string | undefined }>(
  entries: readonly T[] = [],
  entry: T,
  use: string,
  isInQuestion: (entry: T) => boolean = () => true,
): T[] {
  const index = counting(entries, use, isInQuestion);
  return index < 0 ? [...entries, entry] : entries.with(index, entry);
}

function hasAddress({ address = [] }: Patient, { line, city, state, postalCode }: Address): boolean {
  const known = address[counting(address, 'home', () => true)];
  const text = (of: Pick<Address, 'line' | 'city' | 'state' | 'postalCode'>) =>
    JSON.stringify([of.line ?? [], of.city, of.state, of.postalCode]);
  return known !== undefined && text(known) === text({ line, city, state, postalCode });
}

function hasPhone({ telecom = [] }: Patient, digits: string): boolean {
  const isPhone = ({ system }: ContactPoint) => system === 'phone';
  return telecom[counting(telecom, 'mobile', isPhone)]?.value?.replace(/\D/g, '') === digits;
}
