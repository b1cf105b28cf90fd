import { activityInfo, cancellationSignal } from '@temporalio/activity';

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
