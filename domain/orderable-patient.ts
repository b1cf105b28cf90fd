import type { Address, ContactPoint, HumanName, Patient } from 'fhir/r4.js';
import { type CalendarDay, isCalendarDay } from './calendar.js';
import { emailOf } from './email-address.js';
import { addressesOn, entriesOf, namesOn, telecomOn, textOf, textsOf } from './patient-entries.js';
import { isPhoneNumber, tenDigitsOf } from './phone-number.js';
import { isUnitedStates, isUsZip } from './us-address.js';
import { stateCodeOf } from './us-states.js';

/** Longest text of a person or an address in an order. */
export const maxOrderLine = 500;

/** The pipeline needs this of a patient (page 1, Pipeline steps, step 2). */
export interface PatientDetails {
  firstName: string;
  lastName: string;
  /** `YYYY-MM-DD` */
  dob: string;
  gender: 'male' | 'female';
  /** Ten digits, or as the EMR has it where it has no such number. */
  phone: string;
  email?: string;
  address: OrderAddress;
  contact: PatientContact;
}

/** Where an order goes to. */
export interface OrderAddress {
  line1: string;
  line2?: string;
  city: string;
  state: string;
  zip: string;
}

/** The addresses of a patient for messages. `usableContact` checks them. */
export interface PatientContact {
  name: string;
  email?: string;
  /** A number that may be sent texts. */
  phone?: string;
}

/** The day on which a record is read (D9), and the extension that withholds consent to texts (D147). */
export interface Reading {
  today: CalendarDay;
  consentExtension?: string | undefined;
}

/** Why a patient gets no order, however complete the record is (D117); the gravest reason first. */
export type Departure = 'deceased' | 'merged' | 'inactive';

/** The details, or the names of the required fields that the record lacks. */
export type PatientReading = { patient: PatientDetails } | { missing: string[]; state: string | undefined };

/** Checks that a patient may get an order. Approvals, refills and preflight use this one check (D151). */
export function judgePatient(resource: Patient, reading: Reading): PatientReading | { left: Departure } {
  const left = departureOf(resource);
  return left === undefined ? readPatient(resource, reading) : { left };
}

export function departureOf({
  deceasedBoolean,
  deceasedDateTime,
  link,
  active,
}: Patient): Departure | undefined {
  if (deceasedBoolean === true || textOf(deceasedDateTime) !== undefined) return 'deceased';
  if (entriesOf(link).some(({ type }) => type === 'replaced-by')) return 'merged';
  return active === false ? 'inactive' : undefined;
}

/** The errors of step 2. */
export const notFoundText = (emrPatientId: string): string => `Patient not found in EMR: ${emrPatientId}`;
export const incompleteText = (missing: readonly string[]): string =>
  `Patient record is incomplete: ${missing.join(', ')}`;

/** The error of an approval for a patient who has left (D117). */
export const departureText = (left: Departure, emrPatientId: string): string =>
  `Patient ${left === 'merged' ? 'was' : 'is'} ${left} in EMR: ${emrPatientId}`;

/**
 * Reads a FHIR Patient by the entries that count (D147): the first name and the first address that have everything
 * that an order takes.
 */
export function readPatient(resource: Patient, reading: Reading): PatientReading {
  const { today } = reading;
  const { firstName, lastName } = countingName(resource, today);
  const address = readAddress(countingAddress(resource, today) ?? {});
  const fields = {
    firstName,
    lastName,
    dob: isBirthDate(resource.birthDate, today) ? resource.birthDate : undefined,
    gender: resource.gender === 'male' || resource.gender === 'female' ? resource.gender : undefined,
    phone: line(textOf(countingPhone(telecomOn(resource, 'phone', today))?.value)),
    'address.line1': address.line1,
    'address.line2': address.line2,
    'address.city': address.city,
    'address.state': address.state,
    'address.zip': address.zip,
    'address.country': address.country,
  };
  const missing = Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [field] : []));
  if (missing.length > 0) {
    // The code of a place abroad may be that of a state too.
    const state = address.country === undefined ? undefined : address.state;
    return { missing, state };
  }

  const email = usableEmailOn(resource, today);
  return {
    patient: {
      firstName: fields.firstName ?? '',
      lastName: fields.lastName ?? '',
      dob: fields.dob ?? '',
      gender: fields.gender ?? 'male',
      phone: fields.phone ?? '',
      ...(email === undefined ? {} : { email }),
      address: {
        line1: address.line1 ?? '',
        ...(address.line2 ? { line2: address.line2 } : {}),
        city: address.city ?? '',
        state: address.state ?? '',
        zip: address.zip ?? '',
      },
      contact: readContact(resource, reading),
    },
  };
}

/** Reads name and addresses, as far as the record has them. A deceased patient has no addresses. */
export function readContact(resource: Patient, { today, consentExtension }: Reading): PatientContact {
  // A message takes a name that is too long for an order (D150).
  const { given, family, suffix } = counting(namesOn(resource, today), readName) ?? {};
  const name = [textsOf(given)[0], withSuffixes(textOf(family), suffix)].filter(Boolean).join(' ');
  if (departureOf(resource) === 'deceased') return { name };
  const emails = telecomOn(resource, 'email', today);
  const phones = telecomOn(resource, 'phone', today);
  // Consent is withheld for a number (D147), also where an intake has written it into a second entry.
  const withheld = phones.filter((entry) => withholdsConsent(entry, consentExtension)).map(numberOf);
  const email = usableEmailOn(resource, today) ?? textOf(emails[0]?.value);
  const phone = readPhone(countingPhone(phones.filter((entry) => !withheld.includes(numberOf(entry)))));
  return { name, ...(email === undefined ? {} : { email }), ...(phone === undefined ? {} : { phone }) };
}

export const futureBirthDateText = 'must not lie in the future';

/** True for a calendar day that is not in the future (D148). */
export const isBirthDate = (text: unknown, today: CalendarDay): text is CalendarDay =>
  typeof text === 'string' && isCalendarDay(text) && text <= today;

/** The first entry that has all an order takes, else the first. */
function counting<T>(entries: readonly T[], read: (entry: T) => object): T | undefined {
  const isComplete = (entry: T) => Object.values(read(entry)).every((value) => value !== undefined);
  return entries.find(isComplete) ?? entries[0];
}

const countingName = (resource: Patient, today: CalendarDay) =>
  readName(counting(namesOn(resource, today), readName) ?? {});

/** The address that an order goes to. */
export const countingAddress = (resource: Patient, today: CalendarDay): Address | undefined =>
  counting(addressesOn(resource, today), readAddress);

/** The first phone with ten digits, else the first. */
export const countingPhone = <T extends { value: string }>(phones: readonly T[]): T | undefined =>
  phones.find(({ value }) => tenDigitsOf(value) !== undefined) ?? phones[0];

/** Equal for two spellings of one number. */
const numberOf = ({ value }: { value: string }): string => tenDigitsOf(value) ?? value.trim();

/** As recorded if it can be dialed so; otherwise, with an extension for example, its ten digits (D149). */
function readPhone(phone: { value: string } | undefined): string | undefined {
  const recorded = line(textOf(phone?.value));
  if (recorded === undefined || isPhoneNumber(recorded)) return recorded;
  return tenDigitsOf(recorded) ?? recorded;
}

function readName({ given, family, suffix }: HumanName) {
  return { firstName: line(textsOf(given)[0]), lastName: line(withSuffixes(textOf(family), suffix)) };
}

/** The family name with what follows it, such as `Jr.`: no receiver of ours has a field of its own for it (D149). */
export function withSuffixes(family: string | undefined, suffixes: unknown): string | undefined {
  if (family === undefined) return undefined;
  const plain = (text: string) => text.toLowerCase().replace(/[\s.,]/g, '');
  return textsOf(suffixes).reduce(
    (name, suffix) =>
      name
        .split(/[\s,]+/)
        .slice(1)
        .some((word) => plain(word) === plain(suffix))
        ? name
        : `${name} ${suffix}`,
    family,
  );
}

/** Reads the fields of an address that an order needs. Two addresses are the same if these fields are equal. */
export function readAddress({ line: lines, city, state, postalCode, country }: Address) {
  const [line1, ...others] = textsOf(lines);
  const code = textOf(state);
  const zip = textOf(postalCode);
  const nation = textOf(country);
  return {
    line1: line(line1),
    // Empty where there is none, which is no lack.
    line2: line(others.join(', ')),
    city: line(textOf(city)),
    state: code === undefined ? undefined : stateCodeOf(code),
    zip: zip !== undefined && isUsZip(zip) ? zip : undefined,
    country: nation === undefined || isUnitedStates(nation) ? 'US' : undefined,
  };
}

/** A text that is too long for an order counts as missing (D151). */
const line = (text: string | undefined): string | undefined =>
  text === undefined || text.length > maxOrderLine ? undefined : text;

const usableEmailOn = (resource: Patient, today: CalendarDay): string | undefined =>
  telecomOn(resource, 'email', today)
    .map(({ value }) => emailOf(value))
    .find((email) => email !== undefined);

const withholdsConsent = ({ extension }: ContactPoint, url: string | undefined): boolean =>
  entriesOf(extension).some((one) => one.url === url && one.valueBoolean === false);
