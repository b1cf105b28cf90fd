import { describe, expect, it } from '@jest/globals';
import { judgeFailedBatch } from '../../../domain/orchestrator/event-endpoints.js';

const hourMs = 3_600_000;
const failed = { attempts: 1, failingSince: 0, at: 0, failingAfterMs: hourMs, random: 0 };

describe('judgeFailedBatch (D130)', () => {
  it.each([
    [1, 0, 1_000],
    [1, 1, 1_000],
    [3, 0, 2_250],
    [3, 1, 1_125],
    [30, 0, 600_000],
    [30, 1, 300_000],
  ])('after %i attempts with jitter %d waits %i ms', (attempts, random, pauseMs) => {
    const at = 2 * hourMs;
    expect(judgeFailedBatch({ ...failed, at, attempts, random }).nextAttemptAt).toBe(at + pauseMs);
  });

  it('tells a person after an hour, for which a longer pause ends', () => {
    const at = hourMs - 20_000;
    expect(judgeFailedBatch({ ...failed, at, attempts: 30 })).toEqual({
      state: 'enabled',
      nextAttemptAt: hourMs,
    });
    expect(judgeFailedBatch({ ...failed, at: hourMs }).state).toBe('failing');
  });

  it('gives up after 30 days', () => {
    const at = 30 * 24 * hourMs;
    expect(judgeFailedBatch({ ...failed, at: at - 1 }).state).toBe('failing');
    expect(judgeFailedBatch({ ...failed, at }).state).toBe('disabled');
  });
});
