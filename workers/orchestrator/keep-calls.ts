import { activityInfo } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { insertCalls } from '../../db/orchestrator/downstream-calls.js';
import { loggingCalls } from '../../platform/http/call-log.js';
import type { WorkerContext } from '../context.js';

/**
 * Keeps a record of every call the orchestrator's activities make. Beside the work, not in its way: a record that
 * cannot be written is only logged.
 */
export const keepCalls = ({ sql, logger }: WorkerContext): ActivityInboundCallsInterceptor => ({
  execute(input, next) {
    const runWorkflowId = activityInfo().workflowExecution?.workflowId ?? '';
    return loggingCalls(
      (calls) => {
        const rows = calls.map(({ party: type, resource, method, status, error, durationMs }) => {
          const success = status !== null && status < 400;
          return { type, resource, method, runWorkflowId, status, success, error, durationMs };
        });
        insertCalls(sql, rows).catch((err: unknown) => logger.warn({ err }, 'calls were not recorded'));
      },
      () => next(input),
    );
  },
});
