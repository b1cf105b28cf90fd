import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** A budget that was changed: replay does not notice it, the digest does. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) =>
        next({ ...input, options: { ...input.options, startToCloseTimeout: '1 hour' } }),
    },
  ],
});
