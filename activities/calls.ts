import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type FailureType, failureTypes } from '../domain/failures.js';
import { OutboundError } from '../platform/http/outbound.js';
import { OwnOutage } from '../platform/http/signed-call.js';
import { stoodStillMs } from '../platform/standstills.js';

/** Time left after the call, so that the attempt ends before Temporal times it out. */
const reserveMs = 500;

/**
 * The limits of an attempt's only call. It times out before the attempt does, and aborts when the activity is
 * cancelled (reliability point 7).
 */
export const callLimits = (): { timeoutMs: number; signal: AbortSignal } => ({
  timeoutMs: activityInfo().startToCloseTimeoutMs - reserveMs,
  signal: cancellationSignal(),
});

/** A failure that Temporal never retries. Operators and callers read the message, which must name no patient. */
export const permanentFailure = (
  type: FailureType,
  message: string,
  ...details: unknown[]
): ApplicationFailure => ApplicationFailure.create({ type, message, nonRetryable: true, details });

/** Maps transport faults to failure types. `Retry-After` counts up to `maxRetryAfterMs`. */
export function asFailure(error: unknown, maxRetryAfterMs = 5_000): unknown {
  if (!(error instanceof OutboundError)) return error;
  const { fault, message } = error;
  if (error.isFinal) return permanentFailure(failureTypes.rejected, message);
  const retryAfterMs = fault.kind === 'status' ? fault.retryAfterMs : undefined;
  return ApplicationFailure.create({
    type: error instanceof OwnOutage ? failureTypes.ownOutage : failureTypes.unavailable,
    message,
    ...(retryAfterMs === undefined ? {} : { nextRetryDelay: Math.min(retryAfterMs, maxRetryAfterMs) }),
  });
}

/** A missing response counts as our own fault when the process stood still for more than this share of the call. */
const standstillShare = 0.25;

/**
 * Runs a call to an external service and converts its fault to a failure. If this process stood still during a call
 * without a response, the failure ends the activity and the workflow schedules it anew.
 */
export async function calling<T>(call: () => Promise<T>, maxRetryAfterMs?: number): Promise<T> {
  const [startedMs, stoodMs] = [performance.now(), stoodStillMs()];
  try {
    return await call();
  } catch (error) {
    const isShare = stoodStillMs() - stoodMs > standstillShare * (performance.now() - startedMs);
    if (
      isShare &&
      error instanceof OutboundError &&
      (error.fault.kind === 'timeout' || error.fault.kind === 'network')
    )
      throw permanentFailure(failureTypes.ownOutage, `${error.message} while our own process stood still`);
    throw asFailure(error, maxRetryAfterMs);
  }
}

/**
 * Runs a call of a run that nobody awaits. It waits out a rejection too (a refused key, an unreadable page), since its
 * day stays open until somebody has mended that.
 * @throws Unavailable
 */
export async function callingUntilAccepted<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await calling(call);
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== failureTypes.rejected) throw error;
    throw ApplicationFailure.create({ type: failureTypes.unavailable, message: error.message });
  }
}

/**
 * Runs a call of an activity whose attempts its workflow counts (workflows/proxies.ts, `threeTries`). A missing
 * response ends the activity; Temporal retries only faults of our own.
 * @param details go with the failure
 * @throws Unavailable, final; else the same as {@link calling}
 */
export async function once<T>(call: () => Promise<T>, ...details: unknown[]): Promise<T> {
  try {
    return await calling(call);
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || error.type !== failureTypes.unavailable) throw error;
    const { type, message } = error;
    const nextRetryDelay = error.nextRetryDelay as number | undefined;
    throw ApplicationFailure.create({
      type,
      message,
      nonRetryable: true,
      details,
      ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }),
    });
  }
}

/**
 * Runs an activity's call to one of our own services and waits out an outage. Attempts are unlimited until the
 * activity is `outageMinutes` old (D114).
 * @throws Unavailable, final, after that time; else the same as {@link calling}
 */
export async function waitingOutOwn<T>(outageMinutes: number, work: () => Promise<T>): Promise<T> {
  try {
    return await calling(work);
  } catch (error) {
    const underWayMs = Date.now() - activityInfo().scheduledTimestampMs;
    const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
    if (isFinal || underWayMs < outageMinutes * 60_000) throw error;
    const message = error instanceof ApplicationFailure ? error.message : 'Internal failure';
    throw permanentFailure(failureTypes.unavailable, message);
  }
}
