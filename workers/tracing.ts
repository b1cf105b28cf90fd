import { activityInfo } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { traceparentHeader } from '../domain/temporal.js';
import { inSpan } from '../platform/tracing.js';

/** Runs each attempt of an activity in a span, if its run was started in a trace. */
export const traceActivityInterceptor: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    const payload = input.headers[traceparentHeader];
    if (!payload) return next(input);
    const { activityType, attempt, taskQueue, workflowExecution } = activityInfo();
    return inSpan(
      activityType,
      {
        kind: 'internal',
        // An invalid traceparent starts a new trace.
        parent: String(defaultPayloadConverter.fromPayload(payload)),
        attributes: {
          'temporal.attempt': attempt,
          'temporal.task_queue': taskQueue,
          'temporal.workflow_id': workflowExecution?.workflowId ?? '',
        },
      },
      () => next(input),
    );
  },
};
