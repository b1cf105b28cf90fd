import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Address, ContactPoint, HumanName, Patient, Period } from 'fhir/r4.js';
import { prescriptionSubmission } from '../../api/router/contract.js';
import {
  departureText,
  judgePatient,
  type PatientDetails,
  readContact,
  readPatient,
} from '../../domain/orderable-patient.js';
import { usableContact } from '../../domain/usable-contact.js';
import { consentExtension, record, today } from './patients.js';

const reading = { today, consentExtension };
function details(patient: Patient): PatientDetails {
  const read = readPatient(patient, reading);
  if ('missing' in read) throw new Error(read.missing.join(', '));
  return read.patient;
}
const missing = (patient: Patient) => {
  const read = readPatient(patient, reading);
  return 'missing' in read ? read.missing : [];
};
const ended = { end: '2020-07-22' };
const begun = { start: '2020-07-22' };

describe('the name of an order is', () => {
  const dana = (family: string, more: Partial<HumanName> = {}) => ({ family, given: ['Dana'], ...more });
  test.each<[string, HumanName[], string]>([
    [
      'the current one, not the old one before it',
      [dana('Shore', { use: 'old', period: ended }), dana('Banks')],
      'Dana Banks',
    ],
    [
      'the usual one, not the maiden one before it',
      [dana('Winslow', { use: 'maiden' }), dana('Chandler', { use: 'usual' })],
      'Dana Chandler',
    ],
    [
      'a real one, not an anonymous one',
      [{ use: 'anonymous', family: 'Doe', given: ['Jane'] }, dana('Rivers', { use: 'usual' })],
      'Dana Rivers',
    ],
    [
      'the full one, not a nickname',
      [
        { use: 'nickname', given: ['Sammy'] },
        { family: 'Joyner', given: ['Samantha', 'Ann'] },
      ],
      'Samantha Joyner',
    ],
    ['not a temporary one', [dana('Temp', { use: 'temp' }), dana('Rivers')], 'Dana Rivers'],
    [
      'not an official one that has ended',
      [dana('Shore', { use: 'official', period: ended }), dana('Banks', { use: 'usual' })],
      'Dana Banks',
    ],
    [
      'not one that has not begun',
      [dana('Later', { use: 'official', period: { start: '2026-11-26' } }), dana('Banks')],
      'Dana Banks',
    ],
    [
      'the one that began later inside a use',
      [dana('First', { period: { start: '2019' } }), dana('Second', { period: { start: '2021-02' } })],
      'Dana Second',
    ],
    ['the first where nothing else decides', [dana('First'), dana('Second')], 'Dana First'],
    [
      'one that lasts to the end of this year',
      [dana('Rivers', { use: 'official', period: { end: '2026' } }), dana('Other')],
      'Dana Rivers',
    ],
    ['one whose entry is complete', [{ use: 'official', family: 'Rivers' }, dana('Banks')], 'Dana Banks'],
    ['without white space around it', [{ family: ' Rivers ', given: [' Dana '] }], 'Dana Rivers'],
    ['followed by its suffix', [dana('Banks', { suffix: ['Jr.'] })], 'Dana Banks Jr.'],
    ['followed by its suffix once', [dana('Banks Jr', { suffix: ['Jr.', 'MD'] })], 'Dana Banks Jr MD'],
  ])('%s', (_what, name, expected) => {
    const { firstName, lastName } = details(record({ name }));
    expect(`${firstName} ${lastName}`).toBe(expected);
    expect(readContact(record({ name }), reading).name).toBe(expected);
  });

  test('missing where only names that do not count are left', () => {
    expect(missing(record({ name: [{ use: 'old', family: 'Shore', given: ['Dana'] }] }))).toEqual([
      'firstName',
      'lastName',
    ]);
    expect(missing(record({ name: [{ family: 'R'.repeat(501), given: [' '] }] }))).toEqual([
      'firstName',
      'lastName',
    ]);
  });

  test('in a message too where it is too long for an order', () => {
    const family = 'R'.repeat(501);
    const contact = readContact(record({ name: [dana(family)] }), reading);
    expect(contact.name).toBe(`Dana ${family}`);
    expect(usableContact(contact).name).toBe(contact.name.slice(0, 200));
  });
});

describe('the address of an order is', () => {
  const at = (line: string, more: Partial<Address> = {}) => ({
    line: [line],
    city: 'Seattle',
    state: 'WA',
    postalCode: '98101',
    ...more,
  });
  test.each<[string, Address[], string]>([
    [
      'the current one, not an ended one before it',
      [at('old', { period: { start: '2016-12-06', end: '2020-07-22' } }), at('new', { period: begun })],
      'new',
    ],
    ['not an old one in another state', [at('old', { use: 'old', state: 'TX' }), at('new')], 'new'],
    ['not a billing one', [at('bill', { use: 'billing' }), at('work', { use: 'work' })], 'work'],
    ['the home one', [at('none'), at('home', { use: 'home' })], 'home'],
    [
      'one without a use before work and temporary ones',
      [at('temp', { use: 'temp' }), at('work', { use: 'work' }), at('none')],
      'none',
    ],
    [
      'one to live at before one for mail',
      [at('box', { use: 'home', type: 'postal' }), at('house', { use: 'home', type: 'both' })],
      'house',
    ],
    [
      'one at home before one abroad',
      [at('abroad', { use: 'home', country: 'CA' }), at('here', { use: 'work' })],
      'here',
    ],
    ['one that is complete', [at('', { use: 'home' }), at('here')], 'here'],
    ['one that ends today', [at('here', { period: { end: today } })], 'here'],
  ])('%s', (_what, address, line1) => {
    expect(details(record({ address })).address.line1).toBe(line1);
  });

  test('whole: the lines from the second on are one', () => {
    const address = [at('100 Main St', { line: ['100 Main St', ' Bldg 7', '', 'Apt 3B'] })];
    expect(details(record({ address })).address).toMatchObject({
      line1: '100 Main St',
      line2: 'Bldg 7, Apt 3B',
    });
  });

  test.each([
    ['wa', 'WA'],
    [' WA ', 'WA'],
    ['US-MA', 'MA'],
    ['us-ma', 'MA'],
    ['Massachusetts', 'MA'],
    ['NEW  YORK', 'NY'],
    ['D.C.', 'DC'],
    ['District of Columbia', 'DC'],
    ['Puerto Rico', 'PR'],
  ])('in the state that %j stands for', (state, code) =>
    expect(details(record({ address: [at('here', { state })] })).address.state).toBe(code),
  );

  test.each<[string, Partial<Address>, string[]]>([
    ['a country abroad', { country: 'Canada' }, ['address.country']],
    ['a postal code of another country', { postalCode: 'SW1A 1AA' }, ['address.zip']],
    ['six digits', { postalCode: '981012' }, ['address.zip']],
    ['no state', { state: 'Ontario' }, ['address.state']],
    [
      'blanks',
      { line: [' '], city: '  ', postalCode: '     ' },
      ['address.line1', 'address.city', 'address.zip'],
    ],
    ['lines that no label takes', { line: ['1', 'x'.repeat(501)] }, ['address.line2']],
  ])('incomplete with %s', (_what, more, fields) => {
    expect(missing(record({ address: [at('here', more)] }))).toEqual(fields);
  });

  test.each(['US', 'usa', 'U.S.A.', 'United States', 'United States of America', ' '])(
    'ours in %j',
    (country) =>
      expect(missing(record({ address: [at('here', { country, postalCode: ' 98101-1234 ' })] }))).toEqual([]),
  );

  test('missing where only old ones are left', () => {
    const fields = ['address.line1', 'address.city', 'address.state', 'address.zip'];
    expect(missing(record({ address: [at('old', { use: 'old' })] }))).toEqual(fields);
    expect(missing(record({ address: [] }))).toEqual(fields);
  });
});

describe('a patient is reached at', () => {
  const phone = (value: string | undefined, more: Partial<ContactPoint> = {}): ContactPoint => ({
    system: 'phone',
    ...(value === undefined ? {} : { value }),
    ...more,
  });
  const email = (value: string, more: Partial<ContactPoint> = {}): ContactPoint => ({
    system: 'email',
    value,
    ...more,
  });
  const noConsent = { extension: [{ url: consentExtension, valueBoolean: false }] };
  test.each<[string, ContactPoint[], { phone?: string; email?: string }]>([
    [
      'a number in force, not an ended one',
      [
        phone('2065550100', { use: 'mobile', period: { end: '2014-01-01' } }),
        phone('2065550143', { use: 'home' }),
      ],
      { phone: '2065550143' },
    ],
    [
      'a number with a value',
      [phone(undefined, { use: 'mobile' }), phone('2065550143', { use: 'home' })],
      { phone: '2065550143' },
    ],
    [
      'the mobile number',
      [phone('2065550100', { use: 'home' }), phone('2065550143', { use: 'mobile' })],
      { phone: '2065550143' },
    ],
    [
      'the number of the first rank',
      [
        phone('2065550100', { use: 'mobile', rank: 2 }),
        phone('2065550143', { use: 'work', rank: 1 }),
        phone('2065550101', { use: 'mobile' }),
      ],
      { phone: '2065550143' },
    ],
    [
      'a number that is one',
      [phone('555-0143', { use: 'mobile' }), phone('(206) 555-0143 x12', { use: 'home' })],
      { phone: '2065550143' },
    ],
    [
      'a number that may be sent texts',
      [phone('2065550100', { use: 'mobile', ...noConsent }), phone('2065550143', { use: 'home' })],
      { phone: '2065550143' },
    ],
    [
      'the e-mail address in force',
      [email('then@example.test', { use: 'old' }), email('now@example.test', { use: 'home' })],
      { email: 'now@example.test' },
    ],
    [
      'no e-mail address that has ended',
      [email('then@example.test', { period: ended }), email('now@example.test')],
      { email: 'now@example.test' },
    ],
    [
      'an e-mail address that is one',
      [email('dana at home'), email('DANA@EXAMPLE.TEST ')],
      { email: 'DANA@EXAMPLE.TEST' },
    ],
    ['nothing, where consent is withheld', [phone('2065550100', noConsent)], {}],
    [
      'no number for which another entry withholds consent',
      [
        phone('2065550100', { use: 'mobile' }),
        phone('+1 (206) 555-0100', { use: 'home', ...noConsent }),
        phone('2065550143', { use: 'work' }),
      ],
      { phone: '2065550143' },
    ],
  ])('%s', (_what, telecom, expected) => {
    const {
      name: _name,
      unusable: _unusable,
      ...reached
    } = usableContact(readContact(record({ telecom }), reading));
    expect(reached).toEqual(expected);
  });

  test('an order keeps a number that gets no texts, and one that is none', () => {
    expect(details(record({ telecom: [phone('2065550100', noConsent)] })).phone).toBe('2065550100');
    expect(details(record({ telecom: [phone('+44 20 7946 0958')] })).phone).toBe('+44 20 7946 0958');
    expect(missing(record({ telecom: [phone('2065550100', { use: 'old' })] }))).toEqual(['phone']);
  });

  test('unusable contacts are named, and silence no others', () => {
    const telecom = [phone('555-0143'), email('dana at home')];
    expect(usableContact(readContact(record({ telecom }), reading))).toEqual({
      name: 'Dana Rivers',
      unusable: ['email', 'phone'],
    });
  });
});

describe('a patient is ordered nothing who is', () => {
  const mergedInto = {
    link: [{ type: 'replaced-by', other: { reference: 'Patient/2' } }],
  } satisfies Partial<Patient>;
  test.each<[Partial<Patient>, string]>([
    [{ deceasedBoolean: true }, 'Patient is deceased in EMR: p1'],
    [
      { deceasedDateTime: '2026-11-01T00:00:00Z', active: false, ...mergedInto, name: [] },
      'Patient is deceased in EMR: p1',
    ],
    [{ active: false, ...mergedInto }, 'Patient was merged in EMR: p1'],
    [{ active: false, address: [] }, 'Patient is inactive in EMR: p1'],
  ])('%j', (changes, text) => {
    const verdict = judgePatient(record(changes), reading);
    expect('left' in verdict && departureText(verdict.left, 'p1')).toBe(text);
  });

  test('and nobody writes to the dead', () => {
    expect(readContact(record({ deceasedBoolean: true }), reading)).toEqual({ name: 'Dana Rivers' });
  });

  test('a survivor of a merge, and a living patient, are ordered for', () => {
    const changes: Partial<Patient> = {
      deceasedBoolean: false,
      active: true,
      link: [{ type: 'replaces', other: { reference: 'Patient/2' } }],
    };
    expect(judgePatient(record(changes), reading)).toHaveProperty('patient');
  });
});

test.each(['2031-05-06', '2026-11-26', '1984-02-30', '1984', ''])('%j is no birth date', (birthDate) => {
  expect(missing(record({ birthDate }))).toEqual(['dob']);
});

describe('of any record', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('Dana', '12 Elm St', 'WA', '98101', '2065550143', 'a@example.test', ' ', 'x'.repeat(600)),
  );
  const day = fc.constantFrom(
    '2019',
    '2020-07',
    '2026',
    '2026-11',
    today,
    '2026-11-24',
    '2026-11-26',
    '2030-01-01T00:00:00Z',
    'soon',
  );
  const period = fc.option(fc.record({ start: day, end: day }, { requiredKeys: [] }), { nil: undefined });
  const use = fc.constantFrom(
    'official',
    'usual',
    'temp',
    'nickname',
    'anonymous',
    'old',
    'maiden',
    'home',
    'work',
    'billing',
    'mobile',
    undefined,
  );
  /** Values that a server may send and FHIR does not know. */
  const odd = fc.constantFrom(null, 7, 'text', {}, []);
  const entry = <T>(fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.record({ use, period, ...fields }, { requiredKeys: [] }) },
      { weight: 1, arbitrary: odd },
    ) as fc.Arbitrary<T>;
  const patients = fc.record(
    {
      name: fc.array(entry<HumanName>({ family: text, given: fc.array(text), suffix: fc.array(text) })),
      address: fc.array(
        entry<Address>({
          line: fc.array(text),
          city: text,
          state: text,
          postalCode: text,
          country: fc.constantFrom('US', 'CA'),
          type: fc.constantFrom('postal', 'both'),
        }),
      ),
      telecom: fc.array(
        entry<ContactPoint>({
          system: fc.constantFrom('phone', 'email', 'fax'),
          value: text,
          rank: fc.integer({ min: 1, max: 3 }),
        }),
      ),
      birthDate: fc.constantFrom('1984-05-06', '2031-01-01', ''),
      gender: fc.constantFrom('female', 'male'),
      link: fc.oneof(odd, fc.array(odd)),
    },
    { requiredKeys: ['birthDate', 'gender'] },
  ) as unknown as fc.Arbitrary<Patient>;

  /** The entries that D147 leaves out, stated a second time without the tested code. */
  const leftOut =
    (uses: string[]) => (entry: { use?: string | undefined; period?: Period | undefined } | null) => {
      const { start = '', end } = entry?.period ?? {};
      const isDay = (value: string | undefined) => /^\d{4}/.test(value ?? '');
      const isOver = isDay(end) && (end ?? '').slice(0, 10) < today.slice(0, (end ?? '').slice(0, 10).length);
      const isToCome = isDay(start) && start.slice(0, 10) > today.slice(0, start.slice(0, 10).length);
      return uses.includes(entry?.use ?? '') || isOver || isToCome;
    };
  const clean = (value: unknown) =>
    typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').trim() : undefined;
  const entriesOf = <T>(values: readonly T[] | undefined): T[] =>
    (values ?? []).filter((one) => typeof one === 'object' && (one as unknown) !== null);

  test('nothing crashes, and no order or message uses an entry that does not count', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          patients,
          patients.map((patient) => record({ name: patient.name ?? [] })),
          patients.map((patient) => record({ address: patient.address ?? [] })),
        ),
        (patient) => {
          const verdict = judgePatient(patient, reading);
          const contact = usableContact(readContact(patient, reading));
          const counting = entriesOf(patient.telecom)
            .filter((one) => !leftOut(['old'])(one))
            .map(({ value }) => clean(value) ?? '');
          for (const used of [contact.email, contact.phone])
            expect(
              used === undefined ||
                counting.some((value) => value.includes(used) || value.replace(/\D/g, '').includes(used)),
            ).toBe(true);
          if (!('patient' in verdict)) return;
          const { firstName, address } = verdict.patient;
          const names = entriesOf(patient.name).filter(
            (one) =>
              !leftOut([
                'old',
                'maiden',
                'anonymous',
                'temp',
                'nickname',
                'home',
                'work',
                'billing',
                'mobile',
              ])(one),
          );
          expect(names.flatMap(({ given }) => given?.map(clean))).toContain(firstName);
          const lines = entriesOf(patient.address).filter((one) => !leftOut(['old', 'billing'])(one));
          expect(lines.flatMap(({ line }) => line?.map(clean))).toContain(address.line1);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('the router takes every order that the record allows', () => {
    fc.assert(
      fc.property(patients, text, (patient, lastName) => {
        const whole = record({
          telecom: patient.telecom ?? [],
          name: [{ family: lastName, given: [lastName], suffix: [lastName] }],
        });
        const verdict = judgePatient(whole, reading);
        if (!('patient' in verdict)) return;
        const { address, contact: _contact, ...person } = verdict.patient;
        const { line1: addressLine1, line2: addressLine2, ...place } = address;
        const submission = {
          source: 'orchestrator',
          sourceOrderId: 'task',
          callbackUrl: 'https://clinic.example.test/callback',
          patient: person,
          shipTo: { ...person, addressLine1, addressLine2, ...place },
          prescriber: { firstName: 'B', lastName: 'C', npi: '1245319599' },
          medication: { name: 'semaglutide', sig: 'weekly', quantity: 2, daysSupply: 30, refills: 3 },
        };
        expect(prescriptionSubmission.safeParse(submission).error).toBeUndefined();
      }),
    );
  });
});
