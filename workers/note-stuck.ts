import { activityInfo } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { stuckAfterMs } from '../domain/search-attributes.js';
import type { Logger } from '../platform/logger.js';
import { noteStuck } from '../starts/stuck.js';

/**
 * The run waits out the rest of the time itself, since the next try may lie behind it: pauses at most double, so that
 * there is a failure between half of the time and its end.
 */
const notedAfterMs = stuckAfterMs / 2;
/** Those noted by this worker. Noted again, as behind a restart, it comes to the same. */
const maxRemembered = 10_000;

/** Tells a run that one of its activities has been failing for minutes (D109); never the reason why one fails. */
export function stuckInterceptor(temporal: Client, logger: Logger): ActivityInboundCallsInterceptor {
  const noted = new Set<string>();
  return {
    async execute(input, next) {
      const { workflowExecution: run, activityId, attempt, scheduledTimestampMs, isLocal } = activityInfo();
      const key = `${run?.runId ?? ''} ${activityId}`;
      const note = () => {
        if (!run || isLocal || noted.has(key) || Date.now() - scheduledTimestampMs < notedAfterMs) return;
        if (noted.size >= maxRemembered) noted.clear();
        noted.add(key);
        noteStuck(temporal, run).catch((err: unknown) => {
          noted.delete(key);
          logger.warn({ err, workflowId: run.workflowId }, 'a run was not told that it is stuck');
        });
      };
      // A worker that was lost in the middle of the last attempt has noted nothing.
      if (attempt > 1) note();
      try {
        return await next(input);
      } catch (error) {
        note();
        throw error;
      }
    },
  };
}
