import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, type WorkerDeploymentVersion } from '@temporalio/common';
import { type ActivityInboundCallsInterceptor, type NativeConnection, Worker } from '@temporalio/worker';
import type { EventConsumerActivities, EventQueueActivities } from '../activities/events/deliveries.js';
import { type CodecKeys, encryptedDataConverter } from '../platform/temporal/codec.js';
import { heartbeatInterceptor, requestIdActivityInterceptor } from '../platform/temporal/interceptors.js';
import { eventsRunPrefix } from '../domain/events.js';
import { failureTypes } from '../domain/failures.js';
import { taskQueues, type TaskQueue } from '../workflows/queues.js';
import { measuring } from './measuring.js';
import { traceActivityInterceptor } from './tracing.js';

/** Cached workflows per worker. Beyond this the oldest is evicted, and replayed when its next task arrives. */
const maxCachedWorkflows = 400;
/** Running activities may finish within this time after a stop begins. Then they are canceled and retried elsewhere. */
const shutdownGraceTime = '10 s';

export const createWorker = (options: {
  queue: TaskQueue;
  activities: object;
  connection: NativeConnection;
  namespace: string;
  bundlePath: string;
  codecKeys: CodecKeys;
  stuck: ActivityInboundCallsInterceptor;
  activitySlots: number;
  /** The worker's deployment version. A worker without one takes every task. */
  version?: WorkerDeploymentVersion | undefined;
  /** Workflows run on the main thread, where a debugger can stop in them. */
  debugMode?: boolean;
}): Promise<Worker> =>
  Worker.create({
    connection: options.connection,
    namespace: options.namespace,
    taskQueue: taskQueues[options.queue],
    workflowBundle: { codePath: options.bundlePath },
    debugMode: options.debugMode ?? false,
    activities: options.activities,
    dataConverter: encryptedDataConverter(options.codecKeys, 'worker'),
    maxCachedWorkflows,
    maxConcurrentActivityTaskExecutions: options.activitySlots,
    maxConcurrentLocalActivityExecutions: options.activitySlots,
    shutdownGraceTime,
    ...(options.version && {
      workerDeploymentOptions: {
        version: options.version,
        useWorkerVersioning: true,
        // The server requires a default; each workflow states its own behavior (workflows/versioned.ts).
        defaultVersioningBehavior: 'PINNED',
      },
    }),
    interceptors: {
      activity: [
        requestIdActivityInterceptor,
        traceActivityInterceptor,
        measuring(options.queue),
        heartbeatInterceptor,
        eventActivitiesOnly,
        options.stuck,
      ].map((inbound) => () => ({ inbound })),
    },
  });

const eventActivities: readonly string[] = [
  'nextEvent',
  'recordEventDelivery',
  'consumeEvent',
] satisfies (keyof (EventQueueActivities & EventConsumerActivities))[];

/** All services hold the keys of events. A run under these keys may therefore run delivery activities only. */
const eventActivitiesOnly: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    const { workflowExecution, activityType } = activityInfo();
    if (workflowExecution?.workflowId.startsWith(eventsRunPrefix) && !eventActivities.includes(activityType))
      throw ApplicationFailure.nonRetryable(
        `${activityType} is not an activity of event delivery`,
        failureTypes.rejected,
      );
    return next(input);
  },
};
