import { createAgeActivities, createErasureActivities } from '../../activities/retention/retention.js';
import type { WorkerContext } from '../context.js';

/** What the retention queue runs. */
export const retentionActivities = (context: WorkerContext) => ({
  ...createAgeActivities(context),
  ...createErasureActivities(context),
});
