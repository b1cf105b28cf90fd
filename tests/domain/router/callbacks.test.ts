import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgeAttempt } from '../../../domain/router/callbacks.js';

const hourMs = 3_600_000;
const failed = { status: 503, attempts: 1, firstAttemptAt: 0, now: 0, random: 0 };
const failure = fc.option(
  fc.integer({ min: 100, max: 599 }).filter((status) => (status < 200 || status > 299) && status !== 410),
  { nil: null },
);
const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('an attempt to deliver a callback', () => {
  test.each([200, 201, 204, 299])('answered %d is the last one', (status) => {
    expect(judgeAttempt({ ...failed, status })).toEqual({ state: 'delivered', nextAttemptAt: null });
  });

  test('answered 410 stops them', () => {
    expect(judgeAttempt({ ...failed, status: 410 })).toEqual({ state: 'stopped', nextAttemptAt: null });
  });

  test('that failed is followed by another after 1 s to 1 h, never beyond 72 h from the first', () => {
    fc.assert(
      fc.property(
        failure,
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 72 * hourMs - 1 }),
        random,
        (status, attempts, now, random) => {
          const verdict = judgeAttempt({ status, attempts, firstAttemptAt: 0, now, random });
          if (verdict.state !== 'pending') throw new Error(verdict.state);
          const isLast = verdict.nextAttemptAt === 72 * hourMs;
          expect(verdict.nextAttemptAt).toBeLessThanOrEqual(72 * hourMs);
          expect(verdict.nextAttemptAt - now).toBeLessThanOrEqual(hourMs);
          if (!isLast) expect(verdict.nextAttemptAt - now).toBeGreaterThanOrEqual(1_000);
        },
      ),
    );
  });

  test('that failed after 72 h is the last', () => {
    fc.assert(
      fc.property(failure, random, (status, random) => {
        const verdict = judgeAttempt({ ...failed, status, now: 72 * hourMs, random });
        expect(verdict).toEqual({ state: 'dead', nextAttemptAt: null });
      }),
    );
  });

  test('is followed by longer and longer pauses, which differ among receivers', () => {
    const pauseAfter = (attempts: number, random: number) =>
      judgeAttempt({ ...failed, attempts, random }).nextAttemptAt ?? 0;
    for (let attempts = 1; attempts < 20; attempts += 1)
      expect(pauseAfter(attempts + 1, 0)).toBeGreaterThan(pauseAfter(attempts, 0));
    expect(pauseAfter(10, 1)).toBeLessThan(pauseAfter(10, 0));
    expect(pauseAfter(40, 0)).toBe(hourMs);
  });
});
