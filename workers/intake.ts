import type { WorkerContext } from './context.js';
import { subscriberActivities } from './event-consumer.js';
import { eventSourceActivities } from './event-source.js';

/** What the intake queue runs. */
export const intakeActivities = (context: WorkerContext) => ({
  ...eventSourceActivities(context, 'intake'),
  ...subscriberActivities(context, 'intake'),
});
