import type {
  WorkflowClientInterceptor,
  WorkflowSignalWithStartInput,
  WorkflowStartInput,
} from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { traceparentHeader } from '../../domain/headers.js';
import { currentTraceId, currentTraceparent, inSpan } from '../tracing.js';

/**
 * Continues the caller's trace in the workflow and puts its id into the memo. A workflow has no spans, which replay would
 * repeat: it passes the trace to its activities (workflows/interceptors.ts), and each attempt is a span (ADR 10).
 */
export const traceClientInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(`start ${input.workflowType}`, { kind: 'client' }, () => next(traced(input))),
  signalWithStart: (input, next) =>
    inSpan(`signal ${input.signalName}`, { kind: 'client' }, () => next(traced(input))),
  startUpdateWithStart: (input, next) =>
    inSpan(`ask ${input.updateName}`, { kind: 'client' }, () => {
      const { options, headers } = traced({
        options: input.workflowStartOptions,
        headers: input.workflowStartHeaders,
      });
      return next({ ...input, workflowStartOptions: options, workflowStartHeaders: headers });
    }),
};

function traced<I extends Pick<WorkflowStartInput | WorkflowSignalWithStartInput, 'options' | 'headers'>>(
  input: I,
): I {
  const [traceparent, traceId] = [currentTraceparent(), currentTraceId()];
  if (traceparent === undefined) return input;
  const options = { ...input.options, memo: { ...input.options.memo, traceId } };
  const payload = defaultPayloadConverter.toPayload(traceparent);
  return { ...input, options, headers: { ...input.headers, [traceparentHeader]: payload } };
}
