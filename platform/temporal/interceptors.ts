import { activityInfo, heartbeat } from '@temporalio/activity';
import type {
  WorkflowClientInterceptor,
  WorkflowSignalWithStartInput,
  WorkflowStartInput,
} from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { requestIdHeader, traceparentHeader } from '../../domain/temporal.js';
import { acceptRequestId, currentRequestId, withRequestId } from '../request-context.js';
import { currentTraceId, currentTraceparent, inSpan } from '../tracing.js';

/**
 * Passes the caller's request id (D11) and trace to a workflow. Headers carry them on to its activities
 * (workflows/interceptors.ts), and the memo shows them to operators. A workflow has no spans, which replay would
 * repeat: each attempt of an activity is a span of the trace.
 */
export const contextClientInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(`start ${input.workflowType}`, { kind: 'client' }, () => next(withContext(input))),
  signalWithStart: (input, next) =>
    inSpan(`signal ${input.signalName}`, { kind: 'client' }, () => next(withContext(input))),
  startUpdateWithStart: (input, next) =>
    inSpan(`update ${input.updateName}`, { kind: 'client' }, () => {
      const { workflowStartOptions, workflowStartHeaders } = input;
      const { options, headers } = withContext({
        options: workflowStartOptions,
        headers: workflowStartHeaders,
      });
      return next({ ...input, workflowStartOptions: options, workflowStartHeaders: headers });
    }),
};

function withContext<
  I extends Pick<WorkflowStartInput | WorkflowSignalWithStartInput, 'options' | 'headers'>,
>(input: I): I {
  const requestId = currentRequestId();
  const traceId = currentTraceId();
  const shown = { ...(requestId !== undefined && { requestId }), ...(traceId !== undefined && { traceId }) };
  if (Object.keys(shown).length === 0) return input;
  const headers = { ...input.headers };
  for (const [name, value] of [
    [requestIdHeader, requestId],
    [traceparentHeader, currentTraceparent()],
  ] as const)
    if (value !== undefined) headers[name] = defaultPayloadConverter.toPayload(value);
  return { ...input, options: { ...input.options, memo: { ...input.options.memo, ...shown } }, headers };
}

/** Runs each activity with the request id that started its workflow. */
export const requestIdActivityInterceptor: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    const payload = input.headers[requestIdHeader];
    if (!payload) return next(input);
    return withRequestId(acceptRequestId(defaultPayloadConverter.fromPayload(payload)), () => next(input));
  },
};

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
