import { defaultPayloadConverter } from '@temporalio/common';
import type {
  WorkflowClientInterceptor,
  WorkflowSignalWithStartInput,
  WorkflowStartInput,
} from '@temporalio/client';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { requestIdHeader } from '../../domain/headers.js';
import { acceptRequestId, currentRequestId, withRequestId } from '../request-context.js';

/** Puts the request id into the header, which the workflow passes to activities, and into the memo for operators (D11). */
export const requestIdClientInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next(withRequestIdOf(input)),
  signalWithStart: (input, next) => next(withRequestIdOf(input)),
  startUpdateWithStart: (input, next) => {
    const { options, headers } = withRequestIdOf({
      ...input,
      options: input.workflowStartOptions,
      headers: input.workflowStartHeaders,
    });
    return next({ ...input, workflowStartOptions: options, workflowStartHeaders: headers });
  },
};

function withRequestIdOf<
  I extends Pick<WorkflowStartInput | WorkflowSignalWithStartInput, 'options' | 'headers'>,
>(input: I): I {
  const requestId = currentRequestId();
  if (requestId === undefined) return input;
  const options = { ...input.options, memo: { ...input.options.memo, requestId } };
  const payload = defaultPayloadConverter.toPayload(requestId);
  return { ...input, options, headers: { ...input.headers, [requestIdHeader]: payload } };
}

/** Runs each activity with the request id that started its workflow. */
export const requestIdActivityInterceptor: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    const payload = input.headers[requestIdHeader];
    if (!payload) return next(input);
    return withRequestId(acceptRequestId(defaultPayloadConverter.fromPayload(payload)), () => next(input));
  },
};
