import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, type WorkerDeploymentVersion } from '@temporalio/common';
import { type ActivityInboundCallsInterceptor, type NativeConnection, Worker } from '@temporalio/worker';
import type { EventConsumerActivities, EventQueueActivities } from '../activities/events/deliveries.js';
import type { CodecKeys } from '../platform/temporal/codec.js';
import { encryptedDataConverter } from '../platform/temporal/data-converter.js';
import { heartbeatInterceptor } from '../platform/temporal/heartbeat.js';
import { requestIdActivityInterceptor } from '../platform/temporal/request-id.js';
import { eventsRunPrefix } from '../domain/events.js';
import { failureTypes } from '../domain/failures.js';
import { taskQueues, type TaskQueue } from '../workflows/queues.js';
import { measuring } from './measuring.js';
import { traceActivityInterceptor } from './tracing.js';

/** Workflows kept in memory between their tasks; beyond that the oldest is replayed when it is needed again. */
const maxCachedWorkflows = 400;
/** What is running when a stop is asked for may finish within this time; then it is cancelled and tried elsewhere. */
const shutdownGraceTime = '10 s';

/** The worker of one task queue, with slots of its own. */
export const createWorker = (options: {
  queue: TaskQueue;
  activities: object;
  connection: NativeConnection;
  namespace: string;
  bundlePath: string;
  codecKeys: CodecKeys;
  /** Signals a run that one of its activities keeps failing. */
  stuck: ActivityInboundCallsInterceptor;
  /** Activities at once. */
  activitySlots: number;
  /** The version that this worker is; a worker without one takes whatever is there. */
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
        // The server requires one; each workflow states its own (workflows/versioned.ts).
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

/** All services hold the keys of events, so a run under these keys gets nothing of a worker but deliveries (ADR 15). */
const eventActivitiesOnly: ActivityInboundCallsInterceptor = {
  execute(input, next) {
    const { workflowExecution, activityType } = activityInfo();
    if (workflowExecution?.workflowId.startsWith(eventsRunPrefix) && !eventActivities.includes(activityType))
      throw ApplicationFailure.nonRetryable(
        `${activityType} is no part of delivering events`,
        failureTypes.rejected,
      );
    return next(input);
  },
};
