import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../domain/calendar.js';
import {
  ageOn,
  birthDateOf,
  excludedStates,
  type Intake,
  refusalOf,
  stateOf,
  stateExcludedText,
  underageText,
} from '../../../domain/intake/intake.js';
import { hasEmail, toFhirPatient } from '../../../domain/intake/intake-patient.js';
import { usStates } from '../../../domain/us-states.js';
import { businessDay } from '../../../platform/business-day.js';

const intake: Intake = {
  firstName: 'Ada',
  lastName: 'Test',
  dob: '02-29-1980',
  gender: 'female',
  email: 'Ada@patients.test',
  phone: '+1 (202) 555-0101',
  state: 'ny',
  address: { line1: '1 Main St', line2: 'Apt 2', city: 'Springfield', state: 'NY', zip: '10001' },
  intakeType: 'glp-1',
  planToken: 'token',
};

const pad = (value: number, length = 2) => String(value).padStart(length, '0');
/** Any day of the four-digit years, as year, month, day. */
const anyDay = fc
  .tuple(fc.integer({ min: 1, max: 9_900 }), fc.integer({ min: 0, max: 364 }))
  .map(([year, days]) => addDays(`${pad(year, 4)}-01-01`, days));
const asDob = (day: string) => `${day.slice(5)}-${day.slice(0, 4)}`;

describe('a date of birth', () => {
  it('is every calendar day written MM-DD-YYYY', () => {
    fc.assert(fc.property(anyDay, (day) => birthDateOf(asDob(day)) === day));
  });

  it.each([
    '02-29-1900',
    '02-30-1980',
    '04-31-1980',
    '13-01-1980',
    '00-10-1980',
    '01-00-1980',
    '01-01-0000',
    '1980-01-01',
    '01/01/1980',
    '1-1-1980',
    ' 01-01-1980',
    '01-01-1980\n',
    '٠١-٠١-١٩٨٠',
    '',
  ])('is not %j', (dob) => {
    expect(birthDateOf(dob)).toBeUndefined();
  });

  it.each(['02-29-2000', '02-29-1980', '12-31-1999'])('may be %s', (dob) => {
    expect(birthDateOf(dob)).toBeDefined();
  });
});

describe('the age', () => {
  it('is the largest number of whole years that lie between birth and the day', () => {
    // Counted the slow way: birthdays one after the other, that of 29 February on 1 March where there is none.
    const birthday = (birth: string, years: number) => {
      const date = `${pad(Number(birth.slice(0, 4)) + years, 4)}-${birth.slice(5)}`;
      return birthDateOf(asDob(date)) === undefined ? date.replace('-02-29', '-03-01') : date;
    };
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 10_000 }), (birth, days) => {
        const today = addDays(birth, days);
        let years = 0;
        while (birthday(birth, years + 1) <= today) years += 1;
        expect(ageOn(today, birth)).toBe(years);
      }),
    );
  });

  it('changes on the birthday and on no other day of the year', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 20_000 }), (birth, days) => {
        const today = addDays(birth, days);
        const next = addDays(today, 1);
        const isBirthday =
          next.slice(5) === birth.slice(5) ||
          (birth.endsWith('-02-29') && next.endsWith('-03-01') && today.endsWith('-02-28'));
        expect(ageOn(next, birth) - ageOn(today, birth)).toBe(isBirthday ? 1 : 0);
      }),
    );
  });

  it.each([
    ['2026-02-27', 17],
    ['2026-02-28', 17],
    ['2026-03-01', 18],
    ['2028-02-28', 19],
    ['2028-02-29', 20],
  ])('of someone born on 29 February 2008 is, on %s, %i', (today, age) => {
    expect(ageOn(today, '2008-02-29')).toBe(age);
  });

  it('is below zero before birth', () => {
    expect(ageOn('2026-01-01', '2026-01-02')).toBe(-1);
  });
});

describe('an intake', () => {
  it('is taken on the eighteenth birthday and refused the day before', () => {
    fc.assert(
      fc.property(
        anyDay.filter((day) => !day.endsWith('-02-29')),
        (birth) => {
          const birthday = `${pad(Number(birth.slice(0, 4)) + 18, 4)}${birth.slice(4)}`;
          const person = { state: 'NY', dob: asDob(birth) };
          expect(refusalOf(person, birthday)).toBeUndefined();
          expect(refusalOf(person, addDays(birthday, -1))).toBe(underageText);
        },
      ),
    );
  });

  it("is judged on the business's day, not on the caller's", () => {
    const at = new Date('2026-06-15T03:00:00Z');
    const person = { state: 'NY', dob: '06-15-2008' };
    expect(refusalOf(person, businessDay('UTC', at))).toBeUndefined();
    expect(refusalOf(person, businessDay('America/New_York', at))).toBe(underageText);
  });

  it.each(excludedStates)('from %s is refused for the state, in either case, before the age', (state) => {
    const child = { dob: '01-01-2026', state };
    expect(refusalOf(child, '2026-06-01')).toBe(stateExcludedText);
    expect(refusalOf({ ...child, state: state.toLowerCase() }, '2026-06-01')).toBe(stateExcludedText);
  });

  it('is refused nowhere else for the state', () => {
    const served = [...usStates, 'DC'].filter((state) => !excludedStates.includes(state));
    expect(served).toHaveLength(46);
    for (const state of served) expect(refusalOf({ ...intake, state }, '2026-06-01')).toBeUndefined();
  });
});

describe('a state', () => {
  it('is any of the fifty or DC, in either case', () => {
    for (const state of [...usStates, 'DC']) {
      expect(stateOf(state)).toBe(state);
      expect(stateOf(state.toLowerCase())).toBe(state);
    }
  });

  it.each(['PR', 'GU', 'VI', 'AS', 'MP', 'XX', '', 'N', 'NYC', 'ıl'])('is not %j', (code) => {
    expect(stateOf(code)).toBeUndefined();
  });
});

describe('the EMR patient of an intake', () => {
  it('has every field where the mapping puts it', () => {
    expect(toFhirPatient(intake)).toEqual({
      resourceType: 'Patient',
      name: [{ use: 'official', given: ['Ada'], family: 'Test' }],
      birthDate: '1980-02-29',
      gender: 'female',
      telecom: [
        { system: 'phone', use: 'mobile', value: '12025550101' },
        { system: 'email', value: 'Ada@patients.test' },
      ],
      address: [
        { use: 'home', line: ['1 Main St', 'Apt 2'], city: 'Springfield', state: 'NY', postalCode: '10001' },
      ],
    });
  });

  it('has one address line without a second one', () => {
    const { line2: _line2, ...address } = intake.address;
    expect(toFhirPatient({ ...intake, address }).address?.[0]?.line).toEqual(['1 Main St']);
    expect(toFhirPatient({ ...intake, address: { ...address, line2: '' } }).address?.[0]?.line).toEqual([
      '1 Main St',
    ]);
  });

  it.each([
    ['male', 'male'],
    ['female', 'female'],
    ['other', 'other'],
    [undefined, 'unknown'],
  ] as const)('has, for gender %s, %s', (gender, expected) => {
    expect(toFhirPatient({ ...intake, gender }).gender).toBe(expected);
  });

  it('has the digits of the phone and nothing else of it', () => {
    fc.assert(
      // Digits after one of these are an extension (D149).
      fc.property(
        fc.string({ minLength: 10 }).filter((text) => !/[;,#x]|ext/i.test(text)),
        (phone) => {
          const [mobile] = toFhirPatient({ ...intake, phone }).telecom ?? [];
          expect(mobile?.value ?? '').toBe((phone.match(/[0-9]/g) ?? []).join(''));
          expect(mobile?.value).not.toBe('');
        },
      ),
    );
  });

  it('is found again by its e-mail in any case, and by no other contact', () => {
    const patient = toFhirPatient(intake);
    expect(hasEmail(patient, 'ADA@PATIENTS.TEST')).toBe(true);
    expect(hasEmail(patient, 'da@patients.test')).toBe(false);
    expect(hasEmail(patient, '12025550101')).toBe(false);
    expect(hasEmail({}, 'ada@patients.test')).toBe(false);
  });
});
