import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type FailureType, failureTypes } from '../domain/failures.js';
import { OutboundError } from '../platform/http/outbound.js';
import { OwnOutage } from '../platform/http/signed-call.js';
import { stoodStillMs } from '../platform/standstills.js';

/** A refusal: never retried. The message is shown to operators and callers and names no patient. */
export const permanentFailure = (
  type: FailureType,
  message: string,
  ...details: unknown[]
): ApplicationFailure => ApplicationFailure.create({ type, message, nonRetryable: true, details });

/**
 * The one table from transport faults to failure types. `Retry-After` is honoured up to `maxRetryAfterMs`, the
 * longest pause that still leaves room in the step's budget.
 */
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

/** The part of a call's time that our own process may stand still before a missing answer is its own fault. */
const standstillShare = 0.25;

/**
 * Runs a call to another party and throws its fault as a failure Temporal understands. One without an answer while our
 * own process stood still is no fault of the party: it ends the activity, which the workflow then schedules anew.
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
 * Runs the calls of an activity whose tries its workflow counts (workflows/proxies.ts, `threeTries`): a missing answer
 * ends the activity, and only faults of our own are retried within it.
 * @param details go with the failure
 * @throws Unavailable, final; else what {@link calling} throws
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
 * Runs the work of an activity that calls one of our own services and waits out that service's outage: the activity has
 * no budget of attempts, and is given up once it has been under way for that long (D114).
 * @throws Unavailable, final, when the time is over; else what {@link calling} throws
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
