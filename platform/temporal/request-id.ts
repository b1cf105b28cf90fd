import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type {
  WorkflowClientInterceptor,
  WorkflowSignalWithStartInput,
  WorkflowStartInput,
} from '@temporalio/client';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { requestIdHeader } from '../../domain/temporal.js';
import { acceptRequestId, currentRequestId, withRequestId } from '../request-context.js';

/** Carried from the API through the workflow to each activity (D11). */
const withHeader = (headers: Headers, requestId: string): Headers => ({
  ...headers,
  [requestIdHeader]: defaultPayloadConverter.toPayload(requestId),
});

/** Puts the present request id into the header, and into the memo where an operator sees it. */
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
  return { ...input, options, headers: withHeader(input.headers, requestId) };
}

/** Runs each activity under the request id its workflow was started with. */
export const requestIdActivityInterceptor: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    const payload = input.headers[requestIdHeader];
    if (!payload) return next(input);
    return withRequestId(acceptRequestId(defaultPayloadConverter.fromPayload(payload)), () => next(input));
  },
};
