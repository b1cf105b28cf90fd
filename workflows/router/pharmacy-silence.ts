import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { failureTypes } from '../../domain/failures.js';

/** False for a fault of our own, after which the pharmacy was not asked (D34). @throws an error that ends the run */
export function isSilence(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof TimeoutFailure) return true;
  if (!(cause instanceof ApplicationFailure)) throw error;
  return cause.type === failureTypes.unavailable || cause.type === failureTypes.rejected;
}

const longestPauseMs = 5 * 60_000;

/** The pause before the next attempt at a pharmacy that does not answer. */
export const pauseAfter = (attempts: number): number => Math.min(longestPauseMs, 1_000 * 2 ** (attempts - 1));
