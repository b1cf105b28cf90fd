import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../domain/calendar.js';
import {
  afterRefill,
  dateAfterSkip,
  earliestFillDate,
  judgeRefill,
  nextFillDate,
  refillReference,
  refillTaskId,
  type RefillState,
  scheduleStatuses,
  shippingBufferDays,
} from '../../../domain/orchestrator/refills.js';

const day = fc
  .date({ min: new Date('1996-01-01'), max: new Date('2104-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const daysSupply = fc.integer({ min: 1, max: 400 });
const schedules: fc.Arbitrary<RefillState> = fc.record({
  status: fc.constantFrom(...scheduleStatuses),
  totalRefillsAllowed: fc.integer({ min: 0, max: 12 }),
  refillsSent: fc.integer({ min: 0, max: 12 }),
  daysSupply,
  nextFillDate: day,
});
const due: RefillState = {
  status: 'active',
  totalRefillsAllowed: 3,
  refillsSent: 0,
  daysSupply: 30,
  nextFillDate: '2026-03-10',
};

/** Days from one to the other, counted on the calendar and not in milliseconds. */
function daysBetween(from: string, to: string): number {
  let count = 0;
  for (let at = from; at < to; at = addDays(at, 1)) count += 1;
  return count;
}

describe('a refill at another time', () => {
  test.each([
    [30, '2026-03-19'],
    [28, '2026-03-18'],
    [31, '2026-03-20'],
    [55, '2026-04-03'],
    [1, '2026-03-02'],
  ])('of %d days of supply filled on March 1 can be moved to %s at the earliest', (supply, earliest) => {
    expect(earliestFillDate('2026-03-01', supply)).toBe(earliest);
  });

  test('a skipped one leaves a supply after its day, or after today if that has passed', () => {
    expect(dateAfterSkip(due, '2026-03-01')).toBe('2026-04-09');
    expect(dateAfterSkip(due, '2026-03-10')).toBe('2026-04-09');
    expect(dateAfterSkip(due, '2026-03-20')).toBe('2026-04-19');
  });
});

describe('the next fill', () => {
  test('a 30-day supply filled on the first of a month is due again 27 days later', () => {
    expect(nextFillDate('2026-03-01', 30)).toBe('2026-03-28');
    expect(nextFillDate('2026-02-01', 30)).toBe('2026-02-28');
    expect(nextFillDate('2024-02-01', 30)).toBe('2024-02-28');
  });

  test.each([
    [30, '2026-03-19'],
    [28, '2026-03-18'],
    [1, '2026-03-02'],
  ])('is at the earliest when 60 %% of %d days are over: on %s', (supply, earliest) => {
    expect(earliestFillDate('2026-03-01', supply)).toBe(earliest);
  });

  test.each([
    ['2026-01-31', 30, '2026-02-27'],
    ['2024-01-31', 30, '2024-02-27'],
    ['2024-02-02', 30, '2024-02-29'],
    ['2023-02-02', 30, '2023-03-01'],
    ['2024-02-29', 28, '2024-03-25'],
    ['2026-12-31', 30, '2027-01-27'],
    ['2000-02-28', 4, '2000-02-29'],
    ['2100-02-28', 4, '2100-03-01'],
    // Never on the day of the last fill (D154).
    ['2026-03-01', 3, '2026-03-02'],
    ['2026-03-01', 2, '2026-03-02'],
    ['2026-12-31', 1, '2027-01-01'],
  ])('after a fill on %s with %d days of supply is %s', (lastFill, supply, next) => {
    expect(nextFillDate(lastFill, supply)).toBe(next);
  });

  test('comes the shipping buffer before the supply ends, over month ends and leap days, but a day later at least', () => {
    fc.assert(
      fc.property(day, daysSupply, (lastFill, supply) => {
        const days = Math.max(1, supply - shippingBufferDays);
        expect(daysBetween(lastFill, nextFillDate(lastFill, supply))).toBe(days);
      }),
    );
  });
});

describe('the refill decision', () => {
  test.each([
    [{}, '2026-03-10', undefined],
    [{}, '2026-03-11', undefined],
    [{}, '2026-03-09', 'not_due'],
    [{ refillsSent: 3 }, '2026-03-10', 'max_refills_reached'],
    [{ refillsSent: 2 }, '2026-03-10', undefined],
    [{ totalRefillsAllowed: 0 }, '2026-03-10', 'max_refills_reached'],
    [{ status: 'paused' }, '2026-03-10', 'paused'],
    [{ status: 'cancelled' }, '2026-03-10', 'cancelled'],
    [{ status: 'completed' }, '2026-03-10', 'completed'],
    // In the order of the page: status before number, number before date.
    [{ status: 'paused', refillsSent: 3 }, '2026-03-09', 'paused'],
    [{ refillsSent: 3 }, '2026-03-09', 'max_refills_reached'],
  ] as [Partial<RefillState>, string, string | undefined][])('of %j on %s is %s', (change, today, reason) => {
    const verdict = judgeRefill({ ...due, ...change }, today);
    expect(verdict).toEqual(reason === undefined ? { due: true } : { due: false, reason });
  });

  test('sends only what is active, due and not used up', () => {
    fc.assert(
      fc.property(schedules, day, (schedule, today) => {
        const { status, refillsSent, totalRefillsAllowed, nextFillDate: next } = schedule;
        const expected = status === 'active' && refillsSent < totalRefillsAllowed && next <= today;
        expect(judgeRefill(schedule, today).due).toBe(expected);
      }),
    );
  });

  test('is held by an unpaid charge only once it is due, and any other reason comes first (D118)', () => {
    fc.assert(
      fc.property(schedules, day, (schedule, today) => {
        const verdict = judgeRefill(schedule, today);
        const held = verdict.due ? { due: false, reason: 'unpaid' } : verdict;
        expect(judgeRefill(schedule, today, true)).toEqual(held);
      }),
    );
  });
});

describe('a schedule after a refill', () => {
  test('counts it, was filled today, and is completed by the last one', () => {
    expect(afterRefill(due, 1, '2026-03-10')).toEqual({
      refillsSent: 1,
      lastFillDate: '2026-03-10',
      nextFillDate: '2026-04-06',
      status: 'active',
    });
    expect(afterRefill({ ...due, refillsSent: 2 }, 3, '2026-03-10').status).toBe('completed');
  });

  test.each([
    ['paused', 'completed'],
    ['cancelled', 'cancelled'],
  ] as const)('stays %s if it became so meanwhile, and is %s after the last one', (status, last) => {
    expect(afterRefill({ ...due, status }, 1, '2026-03-10').status).toBe(status);
    expect(afterRefill({ ...due, status }, 3, '2026-03-10').status).toBe(last);
  });

  test('checked on any days, never exceeds what is allowed, moves by one, and ends completed', () => {
    const anyDays = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(schedules, day, anyDays, (schedule, start, pauses) => {
        let [state, today, sent] = [schedule, start, 0];
        for (const pause of pauses) {
          today = addDays(today, pause);
          if (!judgeRefill(state, today).due) continue;
          const after = afterRefill(state, state.refillsSent + 1, today);
          expect(after.refillsSent).toBe(state.refillsSent + 1);
          expect(after.lastFillDate).toBe(today);
          state = { ...state, ...after };
          sent += 1;
          expect(state.refillsSent).toBeLessThanOrEqual(state.totalRefillsAllowed);
          expect(state.status === 'completed').toBe(state.refillsSent === state.totalRefillsAllowed);
        }
        expect(sent).toBeLessThanOrEqual(Math.max(0, schedule.totalRefillsAllowed - schedule.refillsSent));
        if (schedule.status !== 'active') expect(state).toEqual(schedule);
      }),
    );
  });

  test('is not due again on the same day, whatever the supply beyond the buffer', () => {
    const supply = fc.integer({ min: shippingBufferDays + 1, max: 400 });
    fc.assert(
      fc.property(supply, day, (daysSupply, today) => {
        const state = { ...due, daysSupply, nextFillDate: today };
        expect(judgeRefill({ ...state, ...afterRefill(state, 1, today) }, today)).toEqual({
          due: false,
          reason: 'not_due',
        });
      }),
    );
  });
});

test('the n-th refill has a task of its schedule and a reference of its own', () => {
  expect(refillTaskId('s')).toBe('refill-s');
  expect([refillReference('s', 1), refillReference('s', 2)]).toEqual(['refill-s-1', 'refill-s-2']);
});
