import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { failureTypes } from '../../domain/failures.js';

/**
 * Whether a failed call says that the pharmacy gave no answer to go by, rather than that a fault of our own kept it from
 * being asked (D34).
 * @throws what ends the run
 */
export function isSilence(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof TimeoutFailure) return true;
  if (!(cause instanceof ApplicationFailure)) throw error;
  return cause.type === failureTypes.unavailable || cause.type === failureTypes.rejected;
}

const longestPauseMs = 5 * 60_000;

/** How long to wait after so many attempts before a pharmacy that gives no answer is asked again. */
export const pauseAfter = (attempts: number): number => Math.min(longestPauseMs, 1_000 * 2 ** (attempts - 1));
