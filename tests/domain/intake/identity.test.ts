import { describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { withContactOf } from '../../../domain/intake/contact.js';
import { compare, identityText, place } from '../../../domain/intake/identity.js';
import type { Intake } from '../../../domain/intake/intake.js';
import { toFhirPatient } from '../../../domain/intake/intake-patient.js';
import { readContact } from '../../../domain/orderable-patient.js';
import { consentExtension } from '../patients.js';

const intake: Intake = {
  firstName: 'Ada',
  lastName: 'Núñez-Ortiz',
  dob: '02-29-1984',
  email: 'ada@example.test',
  phone: '+1 (202) 555-0101',
  state: 'WA',
  address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'WA', zip: '98101' },
  intakeType: 'glp-1',
  planToken: '',
};
const identity = {
  email: 'ada@example.test',
  familyName: 'Núñez-Ortiz',
  givenName: 'Ada',
  birthDate: '1984-02-29',
};
const today = '2026-11-25';
const patient = (family: string | undefined, birthDate?: string): Patient => ({
  resourceType: 'Patient',
  name: [{ given: ['Ada'], ...(family === undefined ? {} : { family }) }],
  ...(birthDate === undefined ? {} : { birthDate }),
});

describe('a patient of the same address is the same person', () => {
  test.each(['Núñez-Ortiz', 'NUNEZ ORTIZ', 'nunez‐ortiz', 'Nu\u0301n\u0303ez — Ortiz', 'nuñezortiz'])(
    'with the family name %s and the birth date',
    (family) => expect(compare(patient(family, '1984-02-29'), identity)).toBe('same'),
  );

  test.each([
    ['Walesa', 'Wałęsa'],
    ['orsted', 'Ørsted'],
    ['nguyen', 'Nguyễn'],
    ["O'Brien", 'O’Brien'],
    ['OBrien', 'OʼBrien'],
    ["Ka'awa", 'Kaʻawa'],
  ])('written %s or %s', (a, b) =>
    expect(compare(patient(a, '1984-02-29'), { ...identity, familyName: b })).toBe('same'),
  );

  test('by any of the names on record', () => {
    const married = {
      ...patient('Stone', '1984-02-29'),
      name: [{ family: 'Stone', given: ['Ada'] }, { family: 'Nunez Ortiz' }],
    };
    expect(compare(married, identity)).toBe('same');
  });
});

describe('a patient of the same address is another person', () => {
  test.each([
    ['Nunez', '1984-02-29'],
    ['Ortiz-Núñez', '1984-02-29'],
    ['Núñez-Ortiz', '1984-02-28'],
  ])('with the family name %s, born on %s', (family, birthDate) =>
    expect(compare(patient(family, birthDate), identity)).toBe('other_person'),
  );

  test.each([' - ', '', '\u200b'])('where the family names say nothing: %j', (nothing) =>
    expect(compare(patient(nothing, '1984-02-29'), { ...identity, familyName: nothing })).toBe(
      'other_person',
    ),
  );

  test.each([
    ['a family name', patient(undefined, '1984-02-29')],
    ['a name', { resourceType: 'Patient', birthDate: '1984-02-29' } satisfies Patient],
    ['a birth date', patient('Núñez-Ortiz')],
    ['a whole birth date', patient('Núñez-Ortiz', '1984-02')],
  ])('as far as can be told, without %s', (_what, incomplete) =>
    expect(compare(incomplete, identity)).toBe('record_incomplete'),
  );
});

test('an intake joins the first patient who is the same person, and of the others the first is named', () => {
  const [other, own, second] = [
    { ...patient('Stranger', '1990-01-01'), id: 'a' },
    { ...patient('nunez ortiz', '1984-02-29'), id: 'b' },
    { ...patient('Núñez-Ortiz', '1984-02-29'), id: 'c' },
  ];
  expect(place([other, own, second], identity)).toEqual({
    ownId: 'b',
    other: { id: 'a', reason: 'other_person' },
  });
  expect(place([], identity)).toEqual({ ownId: undefined, other: undefined });
});

test('all intakes of one person are one text, and those of others are not', () => {
  const same = [
    identity,
    { ...identity, email: 'ADA@example.test' },
    { ...identity, familyName: 'NUNEZ ORTIZ' },
  ];
  expect(new Set(same.map(identityText)).size).toBe(1);
  for (const change of [{ email: 'b@example.test' }, { familyName: 'Nunez' }, { birthDate: '1984-02-28' }])
    expect(identityText({ ...identity, ...change })).not.toBe(identityText(identity));
});

describe('the contact data of a newer intake', () => {
  const known: Patient = {
    ...toFhirPatient(intake),
    id: '1',
    active: true,
    telecom: [
      { system: 'email', value: 'ada@example.test' },
      { system: 'phone', use: 'work', value: '+1 303 555 0199' },
      { system: 'phone', use: 'mobile', value: '+12025550101' },
    ],
    address: [
      { use: 'work', line: ['1 Office Park'], city: 'Sampleton', state: 'WA', postalCode: '98101' },
      { use: 'home', line: ['18 Larch Lane'], city: 'Sampleton', state: 'WA', postalCode: '98101' },
    ],
  };

  test('changes nothing where the record has it already', () => {
    expect(withContactOf(intake, known, today)).toBeUndefined();
  });

  test('takes the place of the home address and the mobile number, and nothing else', () => {
    const moved = { line1: '5 New Road', line2: 'Flat 1', city: 'Otherton', state: 'WA', zip: '98402' };
    const changed = withContactOf(
      { ...intake, firstName: 'A.', phone: '2025550123', address: moved },
      known,
      today,
    );
    expect(changed).toEqual({
      ...known,
      telecom: [
        known.telecom?.[0],
        known.telecom?.[1],
        { system: 'phone', use: 'mobile', value: '2025550123' },
      ],
      address: [
        known.address?.[0],
        { use: 'home', line: ['5 New Road', 'Flat 1'], city: 'Otherton', state: 'WA', postalCode: '98402' },
      ],
    });
  });

  test('is added where there is none', () => {
    const { telecom: _telecom, address: _address, ...bare } = known;
    expect(withContactOf(intake, bare, today)).toMatchObject({
      telecom: [{ system: 'phone', value: '12025550101' }],
      address: [{ use: 'home', city: 'Sampleton' }],
    });
  });

  test('is added where the EMR writes null', () => {
    const bare = { ...known, telecom: null, address: null } as unknown as Patient;
    expect(withContactOf(intake, bare, today)).toMatchObject({
      telecom: [{ value: '12025550101' }],
      address: [{ city: 'Sampleton' }],
    });
  });

  test('keeps a number that withholds consent, so that a later intake of it does not either', () => {
    const extension = [{ url: consentExtension, valueBoolean: false }];
    const withheld = { system: 'phone', use: 'mobile', value: '+12025550101', extension } as const;
    const other = withContactOf({ ...intake, phone: '2025550123' }, { ...known, telecom: [withheld] }, today);
    expect(other?.telecom).toMatchObject([{ value: '2025550123' }, withheld]);
    const again = withContactOf(intake, other!, today);
    expect(again?.telecom).toMatchObject([{ value: '12025550101' }, withheld]);
    expect(readContact(again!, { today, consentExtension }).phone).toBeUndefined();
  });

  test('without a digit leaves the number alone', () => {
    expect(withContactOf({ ...intake, phone: 'ask my clinic' }, known, today)).toBeUndefined();
  });
});
