import { activityInfo } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { stuckAfterMs } from '../domain/search-attributes.js';
import type { Logger } from '../platform/logger.js';
import { noteStuck } from '../starts/stuck.js';

/**
 * The run waits for the rest of the time, since the next attempt may come later. Backoff at most doubles, so a failure
 * falls between half of the time and its end.
 */
const notedAfterMs = stuckAfterMs / 2;
/** Runs noted by this worker. Noting one again after a restart is harmless. */
const maxRemembered = 10_000;

/**
 * Signals a run that one of its activities has been failing for minutes (D109). The signal never contains the reason.
 */
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
          logger.warn({ err, workflowId: run.workflowId }, 'could not signal a run that it is stuck');
        });
      };
      // A worker that was lost during the last attempt sent no signal.
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
