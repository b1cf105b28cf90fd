import type { Patient } from 'fhir/r4.js';
import type { CalendarDay } from '../calendar.js';
import { countingAddress, countingPhone, readAddress } from '../orderable-patient.js';
import { telecomOn } from '../patient-entries.js';
import { tenDigitsOf } from '../phone-number.js';
import type { Intake } from './intake.js';
import { toFhirPatient } from './intake-patient.js';

/**
 * Replaces the address and phone that orders use (D147) by those of a newer intake. The rest of the record stays.
 * @returns undefined if the record has them already
 */
export function withContactOf(intake: Intake, patient: Patient, today: CalendarDay): Patient | undefined {
  const { address: [address] = [], telecom: [phone] = [] } = toFhirPatient(intake);
  const knownAddress = countingAddress(patient, today);
  const knownPhone = countingPhone(telecomOn(patient, 'phone', today));
  const text = (of: typeof address) => of && JSON.stringify(readAddress(of));
  const number = tenDigitsOf(phone?.value ?? '');
  const changed = {
    ...patient,
    ...(address &&
      text(knownAddress) !== text(address) && {
        address: inPlace(patient.address, knownAddress, address, 1),
      }),
    ...(phone &&
      number !== undefined &&
      tenDigitsOf(knownPhone?.value ?? '') !== number && {
        // It stays as preferred as the number before it.
        telecom: inPlace(
          patient.telecom,
          knownPhone,
          { ...phone, ...(knownPhone?.rank === undefined ? {} : { rank: knownPhone.rank }) },
          // Its extension may withhold consent, also from a later entry of the same number.
          knownPhone?.extension ? 0 : 1,
        ),
      }),
  };
  return changed.address === patient.address && changed.telecom === patient.telecom ? undefined : changed;
}

/**
 * @param entries null counts as none
 * @param replaced 0 keeps the known entry behind the new one
 */
function inPlace<T>(
  entries: readonly T[] | null | undefined,
  known: T | undefined,
  entry: T,
  replaced: 0 | 1,
): T[] {
  const all = entries ?? [];
  const index = known === undefined ? -1 : all.indexOf(known);
  return index < 0 ? [...all, entry] : all.toSpliced(index, replaced, entry);
}
