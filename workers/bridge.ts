import type { WorkerContext } from './context.js';
import { publisherActivities } from './event-consumer.js';
import { eventSourceActivities } from './event-source.js';

/** What the bridge queue runs. */
export const bridgeActivities = (context: WorkerContext) => ({
  ...eventSourceActivities(context, 'bridge'),
  ...publisherActivities(context, context.config.service('bridge'), 'bridge'),
});
