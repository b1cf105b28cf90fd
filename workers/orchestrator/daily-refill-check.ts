import { ensureDailySchedule } from '../../starts/schedules.js';
import { taskQueues } from '../../workflows/queues.js';
import type { WorkerContext } from '../context.js';

/** The Temporal schedule in place of a daily cron job (D42): 06:00 in the business's time zone. */
export const ensureDailyRefillCheck = ({
  temporal,
  config,
}: Pick<WorkerContext, 'temporal' | 'config'>): Promise<void> =>
  ensureDailySchedule(temporal, {
    scheduleId: 'daily-refill-check',
    workflowType: 'refillCheck',
    workflowId: 'refill-check',
    taskQueue: taskQueues.refills,
    hour: 6,
    timeZone: config.BUSINESS_TIMEZONE,
    summary: 'Daily refill check',
  });
