import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

const headerName = 'request-id';

/** Hands the request id that a run was started with on to its activities and children (D11). */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  return {
    inbound: [
      {
        execute(input, next) {
          const requestId = input.headers[headerName];
          carried = requestId ? { [headerName]: requestId } : {};
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...carried } }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...carried } }),
        startChildWorkflowExecution: (input, next) =>
          next({ ...input, headers: { ...input.headers, ...carried } }),
      },
    ],
  };
};
