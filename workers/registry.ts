import type { ServiceName } from '../platform/config.js';
import type { TaskQueue } from '../workflows/queues.js';
import type { WorkerContext } from './context.js';
import { notificationActivities } from './notification.js';
import { orchestratorActivities } from './orchestrator.js';
import { routerActivities } from './router.js';

export interface QueueDefinition {
  /** Whose database, settings and credentials its activities use. */
  service: ServiceName;
  /** The activities of the queue from their dependencies. */
  activities: (context: WorkerContext) => object;
  /** Activities at once in one worker. */
  activitySlots: number;
}

/** Which worker runs what. Every worker knows all workflows; a workflow runs where it is started. */
export const queues: Record<TaskQueue, QueueDefinition> = {
  orchestrator: { service: 'orchestrator', activities: orchestratorActivities, activitySlots: 100 },
  router: { service: 'router', activities: routerActivities, activitySlots: 100 },
  notification: { service: 'notification', activities: notificationActivities, activitySlots: 100 },
};
