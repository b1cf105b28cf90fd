import type { presentedHold } from './holds.js';
import { growingPauseMs } from '../pauses.js';
import type { Pharmacy } from '../pharmacies.js';
import type { SubmissionStatus } from './submission.js';

export const callbackKinds = ['initial', 'update', 'hold'] as const;
export type CallbackKind = (typeof callbackKinds)[number];
export const callbackStates = ['pending', 'delivered', 'dead', 'stopped'] as const;
export type CallbackState = (typeof callbackStates)[number];

/** Reports a submission's outcome to the client (page 1, Callback payloads). */
export interface InitialCallback {
  submissionId: string;
  sourceOrderId: string;
  pharmacy: Pharmacy;
  status: 'submitted' | 'failed';
  pharmacyOrderId: string | null;
  error: string | null;
}

/** Reports an order's new status to the client (page 1, Callback payloads). */
export interface UpdateCallback {
  submissionId: string;
  sourceOrderId: string;
  pharmacy: Pharmacy;
  status: SubmissionStatus;
  pharmacyOrderId: string;
  trackingNumber: string | null;
  carrier: string | null;
}

/** Reports a hold when it opens and when it is released, to clients that receive holds (D100). */
export interface HoldCallback extends UpdateCallback {
  hold: ReturnType<typeof presentedHold>;
}

const longestPauseMs = 60 * 60 * 1_000;
/** From its first attempt on, a callback has this long to succeed (D26). */
const patienceMs = 72 * 60 * 60 * 1_000;

export type AttemptVerdict =
  | { state: 'delivered' | 'stopped' | 'dead'; nextAttemptAt: null }
  | { state: 'pending'; nextAttemptAt: number };

/**
 * Decides how a callback continues after an attempt (D26). Times are epoch milliseconds.
 * @param status the receiver's, null without an answer
 * @param attempts made in this series, this one included
 * @param random from 0 to 1, spreads the retries
 */
export function judgeAttempt(attempt: {
  status: number | null;
  attempts: number;
  firstAttemptAt: number;
  now: number;
  random: number;
}): AttemptVerdict {
  const { status, attempts, firstAttemptAt, now, random } = attempt;
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered', nextAttemptAt: null };
  if (status === 410) return { state: 'stopped', nextAttemptAt: null };
  const end = firstAttemptAt + patienceMs;
  if (now >= end) return { state: 'dead', nextAttemptAt: null };
  const pauseMs = growingPauseMs(attempts, longestPauseMs, random);
  return { state: 'pending', nextAttemptAt: Math.min(end, Math.round(now + pauseMs)) };
}
