import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, isCalendarDay, periodsOf } from '../../domain/calendar.js';
import { businessDay } from '../../platform/business-day.js';

const days = fc
  .date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9990-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((at) => at.toISOString().slice(0, 10));

describe('calendar days', () => {
  test.each(['2024-02-29', '2000-02-29', '1999-12-31', '0001-01-01'])('%s is a day', (text) => {
    expect(isCalendarDay(text)).toBe(true);
  });

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '0000-01-01',
    ' 2024-01-01',
    '',
  ])('%j is none', (text) => {
    expect(isCalendarDay(text)).toBe(false);
  });

  test('a fill on the first day of a month with 30 days of supply is due again 27 days later', () => {
    expect(addDays('2024-03-01', 30 - 3)).toBe('2024-03-28');
  });

  test('days are counted over month ends and leap days', () => {
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
    expect(addDays('2023-12-31', 1)).toBe('2024-01-01');
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
  });

  test('adding and taking away are inverse, and later days sort later', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 1000 }), (day, count) => {
        const later = addDays(day, count);
        expect(addDays(later, -count)).toBe(day);
        expect(later > day).toBe(true);
      }),
    );
  });

  test('a text that is no day cannot be counted from, nor one be counted that has no such text', () => {
    expect(() => addDays('2023-02-29', 1)).toThrow(RangeError);
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
  });
});

describe('today', () => {
  test('is the date in the business time zone, on both sides of midnight', () => {
    const at = new Date('2024-03-10T04:30:00Z');
    expect(businessDay('UTC', at)).toBe('2024-03-10');
    expect(businessDay('America/New_York', at)).toBe('2024-03-09');
    expect(businessDay('Pacific/Auckland', new Date('2024-03-10T12:00:00Z'))).toBe('2024-03-11');
  });

  test('is always a calendar day', () => {
    fc.assert(
      fc.property(days, (day) => {
        expect(businessDay('UTC', new Date(`${day}T23:59:59.999Z`))).toBe(day);
      }),
    );
  });
});

test('Days that follow one another are one period', () => {
  expect(periodsOf(['2026-03-02', '2026-02-27', '2026-03-01', '2026-02-28', '2026-02-20'])).toEqual([
    { from: '2026-02-20', to: '2026-02-20' },
    { from: '2026-02-27', to: '2026-03-02' },
  ]);
  expect(periodsOf([])).toEqual([]);
});
