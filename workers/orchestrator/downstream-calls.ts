import { activityInfo } from '@temporalio/activity';
import { type DownstreamCall, insertCalls } from '../../db/orchestrator/downstream-calls.js';
import type { OnCall } from '../../platform/http/call-log.js';
import type { WorkerContext } from '../context.js';

/** Calls are buffered this long, so that concurrent runs share one insert. */
const collectedMs = 100;

/**
 * Records calls of the orchestrator's activities to other services (page 1, Other stored records). A failed write is
 * only logged; it never fails a call.
 */
export function createCallRecorder({ sql, logger }: Pick<WorkerContext, 'sql' | 'logger'>): OnCall {
  let collected: DownstreamCall[] = [];
  function insertCollected(): void {
    const calls = collected;
    collected = [];
    insertCalls(sql, calls).catch((err: unknown) => logger.warn({ err }, 'calls could not be recorded'));
  }
  return ({ party: type, resource, method, status, error, durationMs, endedAt: createdAt }) => {
    if (collected.length === 0) setTimeout(insertCollected, collectedMs);
    const runWorkflowId = activityInfo().workflowExecution?.workflowId ?? '';
    const success = status !== null && status < 400;
    collected.push({ type, resource, method, runWorkflowId, status, success, error, durationMs, createdAt });
  };
}
