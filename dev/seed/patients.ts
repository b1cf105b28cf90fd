import type { Patient } from 'fhir/r4.js';
import { z } from 'zod';
import type { ServiceConfig } from '../../platform/config.js';
import { exchange, expectOk, parseJson } from '../../platform/http/outbound.js';

/** A patient of the development system, without the EMR's id. */
interface Person {
  name: readonly [given: string, family: string];
  gender: 'female' | 'male';
  birthDate: string;
  phone: string;
  address: readonly [line1: string, city: string, state: string, zip: string];
  /** The processor's test card; null saves no payment profile. */
  card: string | null;
}

/** Invented people with reserved numbers and domains, in the order of `dev.json`. */
const people: readonly Person[] = [
  {
    name: ['Nora', 'Quill'],
    gender: 'female',
    birthDate: '1984-03-12',
    phone: '+12125550101',
    address: ['18 Larch Lane', 'Syracuse', 'NY', '13202'],
    card: 'pm_card_visa',
  },
  {
    name: ['Wesley', 'Thorne'],
    gender: 'male',
    birthDate: '1979-08-25',
    phone: '+12065550102',
    address: ['402 Harbor View', 'Tacoma', 'WA', '98402'],
    card: 'pm_card_visa',
  },
  {
    name: ['Tessa', 'Marlow'],
    gender: 'female',
    birthDate: '1991-11-02',
    phone: '+15125550103',
    address: ['77 Bluebonnet Way', 'Austin', 'TX', '78701'],
    card: 'pm_card_visa',
  },
  {
    name: ['Lucien', 'Fontaine'],
    gender: 'male',
    birthDate: '1968-05-30',
    phone: '+15045550104',
    address: ['9 Magnolia Court', 'New Orleans', 'LA', '70112'],
    card: 'pm_card_visa',
  },
  {
    name: ['Odette', 'Harlan'],
    gender: 'female',
    birthDate: '1975-01-19',
    phone: '+16145550105',
    address: ['1200 Buckeye Road', 'Columbus', 'OH', '43215'],
    card: 'pm_card_visa',
  },
  {
    name: ['Calvin', 'Reyes'],
    gender: 'male',
    birthDate: '1988-07-07',
    phone: '+14155550106',
    address: ['55 Poppy Street', 'Sacramento', 'CA', '95814'],
    card: 'pm_card_visa',
  },
  {
    name: ['Nadia', 'Ferris'],
    gender: 'female',
    birthDate: '1995-09-14',
    phone: '+15185550107',
    address: ['31 Maple Rise', 'Albany', 'NY', '12207'],
    card: 'pm_card_chargeCustomerFail',
  },
  {
    name: ['Owen', 'Sayer'],
    gender: 'male',
    birthDate: '1982-12-21',
    phone: '+12165550108',
    address: ['640 Lakeshore', 'Cleveland', 'OH', '44114'],
    card: null,
  },
];

export interface SeededPatient {
  emrPatientId: string;
  name: string;
  email: string;
  state: string;
  card: string | null;
}

const identifierSystem = 'urn:scriptrail:development-seed';
const timeoutMs = 10_000;
const created = z.object({ id: z.string() });

/** Creates each patient in the EMR, or finds the existing one by its identifier. */
export const seedPatients = (settings: ServiceConfig<'orchestrator'>): Promise<SeededPatient[]> =>
  Promise.all(people.map((who, index) => seedPatient(settings, who, `patient-${index}`)));

/** @param identifier by which the EMR finds an existing patient */
export async function seedPatient(
  { EMR_BASE_URL, EMR_TOKEN }: Pick<ServiceConfig<'orchestrator'>, 'EMR_BASE_URL' | 'EMR_TOKEN'>,
  who: Person,
  identifier: string,
): Promise<SeededPatient> {
  const patient = toFhir(who, identifier);
  const response = await exchange({
    party: 'EMR',
    method: 'POST',
    url: `${EMR_BASE_URL}/Patient`,
    headers: {
      authorization: `Bearer ${EMR_TOKEN}`,
      'content-type': 'application/fhir+json',
      'if-none-exist': `identifier=${identifierSystem}|${identifier}`,
      prefer: 'return=representation',
    },
    body: JSON.stringify(patient),
    timeoutMs,
  });
  const { id } = created.parse(parseJson('EMR', expectOk('EMR', response)));
  return {
    emrPatientId: id,
    name: who.name.join(' '),
    email: emailOf(who),
    state: who.address[2],
    card: who.card,
  };
}

const emailOf = ({ name }: Person): string => `${name.join('.')}@example.test`.toLowerCase();

function toFhir(who: Person, identifier: string): Patient {
  const [given, family] = who.name;
  const [line1, city, state, postalCode] = who.address;
  return {
    resourceType: 'Patient',
    identifier: [{ system: identifierSystem, value: identifier }],
    active: true,
    name: [{ use: 'official', given: [given], family }],
    telecom: [
      { system: 'email', value: emailOf(who) },
      { system: 'phone', value: who.phone, use: 'mobile' },
    ],
    gender: who.gender,
    birthDate: who.birthDate,
    address: [{ use: 'home', line: [line1], city, state, postalCode, country: 'US' }],
  };
}
