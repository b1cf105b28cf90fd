import { AsyncLocalStorage } from 'node:async_hooks';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { lostWorkersHeader } from '../domain/headers.js';

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

const scheduledAnew = new AsyncLocalStorage<boolean>();

/** Lets an activity know that it is scheduled anew because a worker was lost with it (workflows/proxies.ts). */
export const scheduledAnewInterceptor: ActivityInboundCallsInterceptor = {
  execute: (input, next) => scheduledAnew.run(lostWorkersHeader in input.headers, () => next(input)),
};

/** Whether an earlier attempt, or a worker that was lost, may have done the activity's work already. */
export const triedBefore = (): boolean => activityInfo().attempt > 1 || scheduledAnew.getStore() === true;
