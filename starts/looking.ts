import { type Client, isGrpcServiceError, ScheduleNotFoundError } from '@temporalio/client';
import { temporal as proto } from '../platform/temporal/proto.js';
import { taskQueues, type TaskQueue } from '../workflows/queues.js';

/** A long poll takes a minute, so a worker without a newer poll is gone; Temporal lists it for five minutes. */
const gonePollerMs = 75_000;
/** A page without it is better than a page that waits. */
const newestWithinMs = 1_000;
const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = proto.api.enums.v1.TaskQueueType;
const types = [TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY];

export interface QueueState {
  /** Workers that poll for both kinds of tasks. */
  pollers: number;
  backlog: number;
  /** Age of the oldest waiting task; 0 without one. */
  ageSeconds: number;
}

/** Reads the state of a task queue. @throws a gRPC error while Temporal is unavailable */
export async function lookAtQueue(temporal: Client, queue: TaskQueue, withinMs: number): Promise<QueueState> {
  const { namespace } = temporal.options;
  const looks = await temporal.withDeadline(Date.now() + withinMs, () =>
    Promise.all(
      types.map((taskQueueType) =>
        temporal.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueues[queue] },
          taskQueueType,
          reportStats: true,
        }),
      ),
    ),
  );
  const oldestPoll = Date.now() - gonePollerMs;
  return {
    pollers: Math.min(
      ...looks.map(
        ({ pollers }) => pollers.filter(({ lastAccessTime: at }) => msOf(at) >= oldestPoll).length,
      ),
    ),
    backlog: sum(looks.map(({ stats }) => Number(stats?.approximateBacklogCount ?? 0))),
    ageSeconds: Math.max(...looks.map(({ stats }) => msOf(stats?.approximateBacklogAge) / 1_000)),
  };
}

/**
 * When a schedule was made, and when a run of it last completed.
 * @returns nothing for a schedule that does not exist; no completion if Temporal retains none
 */
export async function lookAtSchedule(
  temporal: Client,
  scheduleId: string,
  withinMs: number,
): Promise<{ createdAt?: Date; completedAt?: Date }> {
  const { namespace } = temporal.options;
  const [createdAt, { executions }] = await temporal.withDeadline(Date.now() + withinMs, () =>
    Promise.all([
      whenMade(temporal, scheduleId),
      temporal.workflowService.listWorkflowExecutions({
        namespace,
        pageSize: 1,
        // Temporal lists the latest closed first.
        query: `TemporalScheduledById = '${scheduleId}' and ExecutionStatus = 'Completed'`,
      }),
    ]),
  );
  if (!createdAt) return {};
  const closedAt = executions[0]?.closeTime;
  return closedAt ? { createdAt, completedAt: new Date(msOf(closedAt)) } : { createdAt };
}

async function whenMade(temporal: Client, scheduleId: string): Promise<Date | undefined> {
  try {
    return (await temporal.schedule.getHandle(scheduleId).describe()).info.createdAt;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

/** The newest run of a workflow; undefined if Temporal retains none, or does not answer in time. */
export async function newestRunOf(temporal: Client, workflowId: string): Promise<string | undefined> {
  const { namespace } = temporal.options;
  try {
    const { workflowExecutionInfo } = await temporal.withDeadline(Date.now() + newestWithinMs, () =>
      temporal.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } }),
    );
    return workflowExecutionInfo?.execution?.runId ?? undefined;
  } catch (error) {
    if (isGrpcServiceError(error)) return undefined;
    throw error;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const msOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  time ? Number(time.seconds ?? 0) * 1_000 + (time.nanos ?? 0) / 1_000_000 : 0;
