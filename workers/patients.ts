import type { WorkerContext } from './context.js';
import { publisherActivities } from './event-consumer.js';
import { eventSourceActivities } from './event-source.js';

/** What the patients queue runs. */
export const patientsActivities = (context: WorkerContext) => ({
  ...eventSourceActivities(context, 'patients'),
  ...publisherActivities(context, context.config.service('patients'), 'patients'),
});
