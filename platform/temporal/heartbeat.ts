import { activityInfo, heartbeat } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';

/**
 * Heartbeats for every activity that asks for it by a heartbeat time-out, so that a lost worker is noticed long
 * before the activity's own time is over.
 */
export const heartbeatInterceptor: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    const { heartbeatTimeoutMs } = activityInfo();
    if (heartbeatTimeoutMs === undefined || heartbeatTimeoutMs === 0) return next(input);
    const beat = setInterval(() => heartbeat(), heartbeatTimeoutMs / 4);
    try {
      return await next(input);
    } finally {
      clearInterval(beat);
    }
  },
};
