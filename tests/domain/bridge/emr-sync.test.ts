import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  adviceOn,
  archiveSyncKey,
  classOf,
  describeSyncError,
  type EmrErrorClass,
  emrErrorClasses,
  judgeSync,
  type SyncAttemptResult,
  turnOf,
} from '../../../domain/bridge/emr-sync.js';

const hourMs = 3_600_000;
const error = (
  errorClass: EmrErrorClass,
  retryAfterMs: number | null = null,
): SyncAttemptResult & { outcome: 'error' } => ({
  outcome: 'error',
  class: errorClass,
  status: null,
  retryAfterMs,
});
const judged = (result: SyncAttemptResult, now = 0) => judgeSync({ result, firstAttemptAt: 0, now });

describe('the class of a failed call to the EMR', () => {
  test.each<[number, EmrErrorClass]>([
    [404, 'not found'],
    [410, 'not found'],
    [400, 'validation'],
    [422, 'validation'],
    [409, 'conflict'],
    [412, 'conflict'],
    [401, 'auth'],
    [403, 'auth'],
    [429, 'rate limit'],
    [500, 'server error'],
    [502, 'server error'],
    [503, 'server error'],
    [504, 'server error'],
    [408, 'transient'],
    [425, 'transient'],
    [405, 'validation'],
    [415, 'validation'],
    [302, 'validation'],
  ])('of status %d is %s', (status, expected) => {
    expect(classOf({ kind: 'status', status })).toBe(expected);
  });

  test.each(['timeout', 'network', 'malformed'] as const)('of a %s fault is transient', (kind) => {
    expect(classOf({ kind })).toBe('transient');
  });
});

describe('the disposition of a sync attempt', () => {
  test('that succeeded is the end of it', () => {
    expect(judged({ outcome: 'succeeded', status: 200 }, 48 * hourMs)).toEqual({
      status: 'succeeded',
      nextAttemptAt: null,
    });
  });

  test.each<EmrErrorClass>(['not found', 'validation', 'conflict', 'auth'])(
    'refused as %s is failed, whatever wait comes with it',
    (errorClass) => {
      expect(judged(error(errorClass, 5_000))).toEqual({ status: 'failed', nextAttemptAt: null });
    },
  );

  test('asked to wait waits exactly that long, and never less than a second', () => {
    expect(judged(error('rate limit', 5_000), 700)).toEqual({ status: 'pending', nextAttemptAt: 5_700 });
    expect(judged(error('rate limit', 3 * hourMs))).toEqual({
      status: 'pending',
      nextAttemptAt: 3 * hourMs,
    });
    expect(judged(error('rate limit', 0))).toEqual({ status: 'pending', nextAttemptAt: 1_000 });
    expect(judged(error('rate limit'))).toEqual({ status: 'pending', nextAttemptAt: 1_000 });
  });

  test.each<EmrErrorClass>(['transient', 'server error'])(
    'that met a %s fault waits 1 s, doubling up to 10 min, and is abandoned after 24 h',
    (errorClass) => {
      const pauses: number[] = [];
      let now = 0;
      let verdict = judged(error(errorClass), now);
      while (verdict.status === 'pending') {
        pauses.push(verdict.nextAttemptAt - now);
        now = verdict.nextAttemptAt;
        verdict = judged(error(errorClass), now);
      }
      expect(pauses.slice(0, 11)).toEqual([
        1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000,
      ]);
      expect(Math.max(...pauses)).toBe(600_000);
      expect([verdict.status, now]).toEqual(['abandoned', 24 * hourMs]);
      expect(pauses.length).toBeLessThan(170);
    },
  );

  test.each<EmrErrorClass>(['transient', 'server error'])(
    'that met a %s fault goes on no earlier than the EMR asked for, and by its own pause where that is longer',
    (errorClass) => {
      const at = (retryAfterMs: number, now: number) => {
        const verdict = judged(error(errorClass, retryAfterMs), now);
        return verdict.nextAttemptAt;
      };
      expect(at(30_000, 0)).toBe(30_000);
      expect(at(3 * hourMs, 60_000)).toBe(3 * hourMs + 60_000);
      expect(at(2_000, 60_000)).toBe(120_000);
      expect(at(2 * hourMs, 23 * hourMs)).toBe(25 * hourMs);
    },
  );

  test('always has an end: every wait is at least a second, and none but one the EMR asked for passes 24 h', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...emrErrorClasses),
        fc.option(fc.integer({ min: 0, max: 999_999_000 }), { nil: null }),
        fc.integer({ min: 0, max: 30 * hourMs }),
        (errorClass, retryAfterMs, now) => {
          const verdict = judged(error(errorClass, retryAfterMs), now);
          if (verdict.status !== 'pending') return;
          expect(now).toBeLessThan(24 * hourMs);
          if (errorClass === 'rate limit' && retryAfterMs !== null) return;
          expect(verdict.nextAttemptAt).toBeLessThanOrEqual(Math.max(24 * hourMs, now + (retryAfterMs ?? 0)));
          expect(verdict.nextAttemptAt - now).toBeGreaterThanOrEqual(Math.min(1_000, 24 * hourMs - now));
        },
      ),
    );
  });
});

describe('the turn of a pending one', () => {
  test('is at once without an attempt before it', () => {
    expect(turnOf({ firstAttemptAt: null, nextAttemptAt: null })).toEqual({ at: null, act: 'try' });
  });

  test('is when its wait is over, up to 24 h after the first attempt', () => {
    expect(turnOf({ firstAttemptAt: 1, nextAttemptAt: 5_000 })).toEqual({ at: 5_000, act: 'try' });
    const end = 24 * hourMs + 1;
    expect(turnOf({ firstAttemptAt: 1, nextAttemptAt: end })).toEqual({ at: end, act: 'try' });
  });

  test('is no attempt any more when the EMR asked for a longer wait than that', () => {
    expect(turnOf({ firstAttemptAt: 1, nextAttemptAt: 25 * hourMs })).toEqual({
      at: 24 * hourMs + 1,
      act: 'abandon',
    });
  });
});

test('the ledger says the class and the status, and an operator what to do about each', () => {
  expect(describeSyncError({ ...error('rate limit'), status: 429 })).toBe('rate limit: the EMR answered 429');
  expect(describeSyncError(error('transient'))).toBe('transient: no usable answer');
  for (const errorClass of emrErrorClasses) expect(adviceOn(errorClass)).toMatch(/\w/);
});

test('one idempotency key per patient and intent', () => {
  expect(archiveSyncKey('p-1')).toBe('emr-sync:patient.archived:emrPatientId:p-1:active=false');
});
