type EmrFault =
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

/** The class of a failed call (D82). Other 4xx count as `validation`, an unreadable answer as `transient`. */
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

/** The classes that are retried (page 3, Error disposition). */
const retried: readonly EmrErrorClass[] = ['rate limit', 'transient', 'server error'];

export type SyncAttemptResult =
  | { outcome: 'succeeded'; status: number }
  | { outcome: 'error'; class: EmrErrorClass; status: number | null; retryAfterMs: number | null };

export type SyncVerdict =
  | { status: 'succeeded' | 'failed' | 'abandoned'; nextAttemptAt: null }
  | { status: 'pending'; nextAttemptAt: number };

const shortestPauseMs = 1_000;
const longestPauseMs = 10 * 60 * 1_000;
/** From its first attempt on, a change has this long to succeed (D82). */
const patienceMs = 24 * 60 * 60 * 1_000;

/**
 * Decides how a sync continues after an attempt (page 3, error disposition; D82). Times are epoch milliseconds.
 * A rate limit waits exactly as long as the EMR asks, but at least 1 s. Any other wait equals the time since the first
 * attempt, from 1 s to 10 min, and is never shorter than the EMR asks.
 */
export function judgeSync(attempt: {
  result: SyncAttemptResult;
  firstAttemptAt: number;
  now: number;
}): SyncVerdict {
  const { result, firstAttemptAt, now } = attempt;
  if (result.outcome === 'succeeded') return { status: 'succeeded', nextAttemptAt: null };
  if (!retried.includes(result.class)) return { status: 'failed', nextAttemptAt: null };
  const end = firstAttemptAt + patienceMs;
  if (now >= end) return { status: 'abandoned', nextAttemptAt: null };
  const askedMs = result.retryAfterMs;
  if (result.class === 'rate limit' && askedMs !== null)
    return { status: 'pending', nextAttemptAt: now + Math.max(shortestPauseMs, askedMs) };
  const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, now - firstAttemptAt));
  const ownAt = Math.min(end, now + pauseMs);
  return { status: 'pending', nextAttemptAt: Math.max(ownAt, now + (askedMs ?? 0)) };
}

/** The next step of a pending sync. If the EMR asks for a wait beyond 24 h, the sync is abandoned then. */
export function turnOf(waiting: { firstAttemptAt: number | null; nextAttemptAt: number | null }): {
  at: number | null;
  act: 'try' | 'abandon';
} {
  const { firstAttemptAt, nextAttemptAt } = waiting;
  if (firstAttemptAt === null || nextAttemptAt === null) return { at: nextAttemptAt, act: 'try' };
  const end = firstAttemptAt + patienceMs;
  return nextAttemptAt <= end ? { at: nextAttemptAt, act: 'try' } : { at: end, act: 'abandon' };
}

/** The text for `last_error`: the class and the status, nothing of the payload. */
export function describeSyncError({
  class: errorClass,
  status,
}: SyncAttemptResult & { outcome: 'error' }): string {
  const answer = status === null ? 'no usable answer' : `the EMR answered ${status}`;
  return `${errorClass}: ${answer}`;
}

const advice: Partial<Record<EmrErrorClass, string>> = {
  'not found': 'The EMR has no such record: see whether it was merged or deleted there.',
  auth: 'The EMR rejects our credentials: renew `EMR_TOKEN`.',
  conflict: 'Others keep changing the record: look at it in the EMR.',
  validation: 'The EMR rejects the record as invalid: correct it in the EMR.',
};
/** Advice for operators. */
export const adviceOn = (errorClass: EmrErrorClass): string =>
  advice[errorClass] ?? 'Check that the EMR is up.';

/** Idempotency key from event, target and intent (page 3, Egress). It holds an EMR id, so it stays in its column. */
export const archiveSyncKey = (emrPatientId: string): string =>
  `emr-sync:patient.archived:emrPatientId:${emrPatientId}:active=false`;
