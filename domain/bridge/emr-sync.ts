/** A call to the EMR came to this, as the transport tells it. */
export type EmrFault =
  { kind: 'timeout' | 'network' | 'malformed' } | { kind: 'status'; status: number; retryAfterMs?: number };

export const emrErrorClasses = [
  'not found',
  'validation',
  'conflict',
  'auth',
  'rate limit',
  'transient',
  'server error',
] as const;
export type EmrErrorClass = (typeof emrErrorClasses)[number];

/**
 * The class of a failed call (D82). A 4xx that the table does not name refuses the request as we make it, so it
 * counts as `validation`; an answer that cannot be read may come from something in between, so it passes.
 */
export function classOf(fault: EmrFault): EmrErrorClass {
  if (fault.kind !== 'status') return 'transient';
  const { status } = fault;
  if (status >= 500) return 'server error';
  switch (status) {
    case 404:
    case 410:
      return 'not found';
    case 409:
    case 412:
      return 'conflict';
    case 401:
    case 403:
      return 'auth';
    case 429:
      return 'rate limit';
    case 408:
    case 425:
      return 'transient';
    default:
      return 'validation';
  }
}

/** Whether waiting helps: page 3, Error disposition. */
const passes: Readonly<Record<EmrErrorClass, boolean>> = {
  'not found': false,
  validation: false,
  conflict: false,
  auth: false,
  'rate limit': true,
  transient: true,
  'server error': true,
};

/** One attempt at bringing a change to the EMR. */
export type SyncAttemptResult =
  | { outcome: 'succeeded'; status: number }
  | { outcome: 'error'; class: EmrErrorClass; status: number | null; retryAfterMs: number | null };

export type SyncVerdict =
  | { status: 'succeeded' | 'failed' | 'abandoned'; nextAttemptAt: null }
  | { status: 'pending'; nextAttemptAt: number };

const shortestPauseMs = 1_000;
const longestPauseMs = 10 * 60 * 1_000;
/** A change is given up when this much time has passed since its first attempt (D82). */
const patienceMs = 24 * 60 * 60 * 1_000;

/**
 * What becomes of a sync attempt after a try (page 3, error disposition; D82). Times are epoch milliseconds.
 *
 * The wait of a rate limit is kept to the millisecond, and not below 1 s. Any other lasts as long as the trouble has
 * lasted so far, from 1 s to 10 min, which doubles it each time, and never shorter than the EMR asked for; one it did
 * not ask for ends with our patience.
 */
export function judgeSync(attempt: {
  result: SyncAttemptResult;
  firstAttemptAt: number;
  now: number;
}): SyncVerdict {
  const { result, firstAttemptAt, now } = attempt;
  if (result.outcome === 'succeeded') return { status: 'succeeded', nextAttemptAt: null };
  if (!passes[result.class]) return { status: 'failed', nextAttemptAt: null };
  const end = firstAttemptAt + patienceMs;
  if (now >= end) return { status: 'abandoned', nextAttemptAt: null };
  const askedMs = result.retryAfterMs;
  if (result.class === 'rate limit' && askedMs !== null)
    return { status: 'pending', nextAttemptAt: now + Math.max(shortestPauseMs, askedMs) };
  const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, now - firstAttemptAt));
  const ownAt = Math.min(end, now + pauseMs);
  return { status: 'pending', nextAttemptAt: Math.max(ownAt, now + (askedMs ?? 0)) };
}

/**
 * When a pending one has its turn, and what for: a wait asked for by the EMR that outlasts our patience ends with
 * that, and nothing is sent any more.
 */
export function turnOf(waiting: { firstAttemptAt: number | null; nextAttemptAt: number | null }): {
  at: number | null;
  act: 'try' | 'abandon';
} {
  const { firstAttemptAt, nextAttemptAt } = waiting;
  if (firstAttemptAt === null || nextAttemptAt === null) return { at: nextAttemptAt, act: 'try' };
  const end = firstAttemptAt + patienceMs;
  return nextAttemptAt <= end ? { at: nextAttemptAt, act: 'try' } : { at: end, act: 'abandon' };
}

/** Describes a fault for `last_error`: its class and a short message, nothing of the payload. */
export function describeSyncError({
  class: errorClass,
  status,
}: SyncAttemptResult & { outcome: 'error' }): string {
  const answer = status === null ? 'no usable answer' : `the EMR answered ${status}`;
  return `${errorClass}: ${answer}`;
}

/** Tells an operator what to do about an attempt that failed. */
export function adviceOn(errorClass: EmrErrorClass): string {
  switch (errorClass) {
    case 'not found':
      return 'The EMR has no such record: see whether it was merged or deleted there.';
    case 'auth':
      return 'The EMR refuses our credentials: renew `EMR_TOKEN`.';
    case 'conflict':
      return 'Others keep changing the record: look at it in the EMR.';
    case 'validation':
      return 'The EMR does not take the record as it is: mend it in the EMR.';
    case 'rate limit':
    case 'transient':
    case 'server error':
      return 'See whether the EMR is well again.';
  }
}

/** Deterministic from event, target and intent (page 3, Egress). It holds an EMR id, so it stays in its column. */
export const archiveSyncKey = (emrPatientId: string): string =>
  `emr-sync:patient.archived:emrPatientId:${emrPatientId}:active=false`;
