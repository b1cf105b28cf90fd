import { createAgeActivities, createErasureActivities } from '../../activities/retention/retention.js';
import type { WorkerContext } from '../context.js';

export const retentionActivities = (context: WorkerContext) => ({
  ...createAgeActivities(context),
  ...createErasureActivities(context),
});
