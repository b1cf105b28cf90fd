import type { WorkerContext } from './context.js';
import { publisherActivities } from './event-consumer.js';
import { eventSourceActivities } from './event-source.js';

/** What the organization queue runs. */
export const organizationActivities = (context: WorkerContext) => ({
  ...eventSourceActivities(context, 'organization'),
  ...publisherActivities(context, context.config.service('organization')),
});
