import { growingPauseMs } from '../pauses.js';

export const endpointStates = ['enabled', 'disabled', 'failing'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** The result of a test event. */
export interface TestDelivery {
  /** null without an answer */
  status: number | null;
  durationMs: number;
}

/** Events of one delivery (D130). */
export const eventsPerDelivery = 100;

const longestPauseMs = 10 * 60_000;
/** An endpoint that has failed for so long is disabled. */
const patienceMs = 30 * 24 * 60 * 60_000;

/**
 * Decides how an endpoint continues after a failed delivery (D130). Times are epoch milliseconds.
 * @param attempts at this delivery, this one included
 * @param failingSince the first failure since the last success
 * @param failingAfterMs how long failures last before a work item opens
 * @param random from 0 to 1, spreads the retries
 */
export function judgeFailedBatch(failed: {
  attempts: number;
  failingSince: number;
  at: number;
  failingAfterMs: number;
  random: number;
}): { state: EndpointState; nextAttemptAt: number } {
  const { attempts, failingSince, at, failingAfterMs, random } = failed;
  const next = Math.round(at + growingPauseMs(attempts, longestPauseMs, random));
  const told = failingSince + failingAfterMs;
  if (at >= failingSince + patienceMs) return { state: 'disabled', nextAttemptAt: next };
  if (at >= told) return { state: 'failing', nextAttemptAt: next };
  // The pause ends when the work item opens.
  return { state: 'enabled', nextAttemptAt: Math.min(next, told) };
}
