import { activityInfo, cancellationSignal } from '@temporalio/activity';

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
