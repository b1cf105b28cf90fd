import type { Headers } from '@temporalio/common';
import { defaultPayloadConverter, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { lostWorkersHeader, requestIdHeader } from '../domain/headers.js';
import { lostWorkersBefore } from './proxies.js';

/**
 * Hands the request id that a run was started with on to its activities and children (D11), and tells an activity that
 * is scheduled anew how many workers were lost with it.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  return {
    inbound: [
      {
        execute(input, next) {
          const requestId = input.headers[requestIdHeader];
          carried = requestId ? { [requestIdHeader]: requestId } : {};
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) =>
          next({ ...input, headers: { ...input.headers, ...carried, ...lostWorkers() } }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...carried } }),
        startChildWorkflowExecution: (input, next) =>
          next({ ...input, headers: { ...input.headers, ...carried } }),
      },
    ],
  };
};

function lostWorkers(): Headers {
  const count = lostWorkersBefore.getStore();
  return count === undefined ? {} : { [lostWorkersHeader]: defaultPayloadConverter.toPayload(count) };
}
