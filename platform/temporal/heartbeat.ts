import { activityInfo, heartbeat } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';

/** Heartbeats for every activity with a heartbeat timeout, so that Temporal notices a lost worker early. */
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
