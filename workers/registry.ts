import type { ServiceName } from '../platform/config.js';
import type { TaskQueue } from '../workflows/queues.js';
import type { WorkerContext } from './context.js';
import { notificationActivities } from './notification.js';
import { orchestratorActivities } from './orchestrator.js';
import { routerActivities } from './router.js';
import { sweepRuns } from './sweep-runs.js';

export interface QueueDefinition {
  /** Whose database, settings and credentials its activities use. */
  service: ServiceName;
  /** The activities of the queue from their dependencies. */
  activities: (context: WorkerContext) => object;
  /** Activities at once in one worker. */
  activitySlots: number;
  /** What runs beside the worker, until the function it returns is called. */
  beside?: (context: WorkerContext) => () => Promise<void>;
}

/** Which worker runs what. Every worker knows all workflows; a workflow runs where it is started. */
export const queues: Record<TaskQueue, QueueDefinition> = {
  orchestrator: {
    service: 'orchestrator',
    activities: orchestratorActivities,
    activitySlots: 100,
    beside: sweepRuns,
  },
  router: { service: 'router', activities: routerActivities, activitySlots: 100 },
  notification: { service: 'notification', activities: notificationActivities, activitySlots: 100 },
};
