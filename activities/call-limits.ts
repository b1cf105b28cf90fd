import { AsyncLocalStorage } from 'node:async_hooks';
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Headers } from '@temporalio/common';
import { lostWorkersHeader, triedInTaskHeader } from '../domain/headers.js';

/** What an attempt keeps for itself after its call has given up, so that the attempt ends before Temporal ends it. */
const reserveMs = 500;

/**
 * The limits of the one call an attempt makes: it gives up before the attempt's own time is over, and at once when
 * the activity is cancelled (reliability point 7).
 */
export const callLimits = (): { timeoutMs: number; signal: AbortSignal } => ({
  timeoutMs: activityInfo().startToCloseTimeoutMs - reserveMs,
  signal: cancellationSignal(),
});

const told = new AsyncLocalStorage<Headers>();

/**
 * Lets an activity know what became of it before: that a worker was lost with it, or that it was tried inside the
 * workflow task (workflows/proxies.ts).
 */
export const toldActivityInterceptor: ActivityInboundCallsInterceptor = {
  execute: (input, next) => told.run(input.headers, () => next(input)),
};

/** Whether an earlier attempt, or a worker that was lost, may have done the activity's work already. */
export const triedBefore = (): boolean =>
  activityInfo().attempt > 1 || lostWorkersHeader in (told.getStore() ?? {});

/**
 * How often the other party has failed this activity: what its earlier attempts noted, or the try inside the workflow
 * task. An attempt that was lost, or failed on our own side, noted nothing.
 */
export function failedTries(): number {
  const noted: unknown = activityInfo().heartbeatDetails;
  if (typeof noted === 'number') return noted;
  return triedInTaskHeader in (told.getStore() ?? {}) ? 1 : 0;
}

/** Notes one more for the attempts that follow. A try inside the workflow task has no other attempt: the workflow tells. */
export const noteFailedTry = (): void => {
  if (!activityInfo().isLocal) heartbeat(failedTries() + 1);
};
