import type {
  WorkflowClientInterceptor,
  WorkflowSignalWithStartInput,
  WorkflowStartInput,
} from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { traceparentHeader } from '../../domain/temporal.js';
import { currentTraceId, currentTraceparent, inSpan } from '../tracing.js';

// A run has no spans of its own, which replay would have to leave out: it hands the trace of whoever started it on to
// its activities and children (workflows/interceptors.ts), and each attempt of an activity is a span in it (ADR 10).

/** Has a run that is started under a span go on in its trace, whose id stands in the run's memo. */
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
  return { ...input, options, headers: { ...input.headers, ...headerOf(traceparent) } };
}

const headerOf = (traceparent: string): Headers => ({
  [traceparentHeader]: defaultPayloadConverter.toPayload(traceparent),
});
